"""The numbers of adjudication, and of the choice of openings; every file of games names them."""

MOST_AHEAD = 600  # centipawns that an opening may favour one side by

WIN_SCORE, WIN_PLIES = 2500, 4  # centipawns for one side, so many plies in a row: won
DRAW_SCORE, DRAW_PLIES, DRAW_FROM = 4, 12, 80  # near 0, so many plies in a row from there on: drawn

AS_TEXT = f"won at {WIN_SCORE} x {WIN_PLIES}, drawn at {DRAW_SCORE} x {DRAW_PLIES} from ply {DRAW_FROM}"
