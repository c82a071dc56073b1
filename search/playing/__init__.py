"""What a player asks for beside a plain search: book, tablebases, handicap, openings. Plain Python."""
