"""What one visitor does: the connection of the page, the game on the board, a handler for each request."""
