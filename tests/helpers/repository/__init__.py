"""What tests of the sources share."""
