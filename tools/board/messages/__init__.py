"""What page and server say to each other: requests, which are checked, and what the page is told."""
