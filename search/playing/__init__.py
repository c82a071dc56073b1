"""Playing, beyond the plain search: opening book, tablebases, handicap, random openings. Plain Python."""
