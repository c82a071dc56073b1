"""The trainer of the network: `bluekrait tune network`."""
