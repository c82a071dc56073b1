"""What the tools have in common: command lines, files that survive a kill, pictures, processors."""
