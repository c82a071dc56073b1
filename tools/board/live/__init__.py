"""Long work that runs elsewhere, read from the files it writes: figures, plots and games for the page."""
