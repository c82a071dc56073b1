"""Programs that tests start, and the machine that they run on."""
