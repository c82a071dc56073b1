"""What tests share. There are no tests here."""
