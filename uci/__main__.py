"""`python -m bluekrait.uci` is the same as `bluekrait`."""

from bluekrait.uci.cli import main

if __name__ == "__main__":
    main()
