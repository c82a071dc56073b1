"""What the tools have in common: command lines, errors, pictures, processors."""
