"""What tests of the network share."""
