"""What tests of matches share: engines and a match runner that stand in for real ones."""
