"""`python -m bluekrait` is the program `bluekrait`."""

from bluekrait.uci.cli import main

if __name__ == "__main__":
    main()
