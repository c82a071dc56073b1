"""The options: the table of them, their kinds, and the settings for playing that follow from them."""
