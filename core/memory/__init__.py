"""Memory from the operating system: how much there is, large pages, and memory that threads share."""
