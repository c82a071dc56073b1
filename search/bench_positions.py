"""The positions of the benchmark: every phase of the game, and one whole game.

The positions decide what `bench` counts, and that count identifies how the search plays: a change here
changes it for every version to come.
"""

BENCH_POSITIONS = (
    # Openings
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N2/PP1P1PPP/RNBQR1K1 w - - 1 9",
    "r1bq1rk1/pp1nbppp/2p1pn2/3p2B1/2PP4/2N1PN2/PPQ2PPP/R3KB1R w KQ - 3 8",
    "r1bq1rk1/ppp1npbp/3p1np1/3Pp3/2P1P3/2N2N2/PP2BPPP/R1BQ1RK1 w - - 1 9",
    "rnbqk2r/pp2nppp/4p3/2ppP3/3P4/P1P5/2P2PPP/R1BQKBNR w KQkq - 1 7",
    "rnbq1rk1/1p3pbp/p2p1np1/2pP4/4P3/2N2N2/PP2BPPP/R1BQ1RK1 b - - 1 10",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9",
    # Middle games
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r4rk1/pp2ppbp/2np1np1/q7/2P1P1b1/2N1BN2/PP2BPPP/R2Q1RK1 b - - 4 11",
    "2r2rk1/1bqnbppp/pp1ppn2/8/2PNP3/1PN1BP2/P2QB1PP/2RR2K1 w - - 2 15",
    "r1b2rk1/2q1bppp/p1nppn2/1p6/3NPP2/2N1B3/PPP1B1PP/R3QR1K b - - 1 12",
    "r2q1rk1/pb1nbppp/1p2pn2/2pp4/2PP4/1PN1PN2/PBQ1BPPP/R4RK1 w - - 0 11",
    # Combinations
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1",
    "5rk1/1b3p1p/pp3p2/3n1N2/1P6/P1qB1PP1/3Q3P/4R1K1 w - - 0 1",
    "r3r1k1/pp1q1pp1/4b1p1/3p2B1/3Q1R2/8/PPP3PP/4R1K1 w - - 0 1",
    "8/k1b5/P4p2/1Pp2p1p/K1P2P1P/8/3B4/8 w - - 0 1",
    "4r1k1/p1qr1p2/2pb1Bp1/1p5p/3P1n1R/1B3P2/PP3PK1/2Q4R w - - 0 1",
    "5rk1/2p4p/2p4r/3P4/4p1b1/1Q2NqPp/PP3P1K/R4R2 b - - 0 1",
    "5rk1/ppq2ppp/2p5/4bN2/4P3/6Q1/PPP2PPP/3R2K1 w - - 0 1",
    "r4rk1/1bq1bp1p/4p1p1/p2p4/3BnP2/1N1B3R/PPP3PP/R2Q2K1 w - - 0 1",
    "rnbqr2k/pppp1Qpp/8/b2NN3/2B1n3/8/PPPP1PPP/R1B1K2R w KQ - 0 1",
    # Endgames
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1",
    "8/4k3/8/3KP3/r7/8/8/6R1 w - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "7K/8/k1P5/7p/8/8/8/8 w - - 0 1",
    "8/5pk1/6p1/7p/1r5P/4R1P1/5PK1/8 w - - 0 1",
    "8/6k1/1p4p1/1P1q3p/5Q1P/6PK/8/8 w - - 0 1",
    "8/2k2p2/4p1p1/p2bP2p/P2B3P/1P3PP1/5K2/8 w - - 0 1",
    "8/pp3k2/2p2np1/3p4/3P1P2/2PB2K1/PP6/8 w - - 0 1",
    "8/8/8/3k4/8/8/1KB5/2N5 w - - 0 1",
    "8/8/3k4/3r4/8/8/4K3/1Q6 w - - 0 1",
    "8/8/1k6/1p1p1p1p/1P1P1P1P/1K6/8/8 w - - 0 1",
    "3r2k1/5ppp/p1p5/1pR5/1P2P3/P4P2/6PP/6K1 b - - 0 27",
    "6k1/5p2/3bp1pp/1q1p4/3P1P2/2Q1BNPP/5K2/8 b - - 3 38",
)

# Capablanca against Tartakower, New York 1924: from a crowded board to a rook ending.
GAME = """
d2d4 e7e6 g1f3 f7f5 c2c4 g8f6 c1g5 f8e7 b1c3 e8g8 e2e3 b7b6 f1d3 c8b7 e1g1 d8e8 d1e2 f6e4 g5e7 e4c3
b2c3 e8e7 a2a4 b7f3 e2f3 b8c6 f1b1 a8e8 f3h3 f8f6 f2f4 c6a5 h3f3 d7d6 b1e1 e7d7 e3e4 f5e4 f3e4 g7g6
g2g3 g8f8 g1g2 f6f7 h2h4 d6d5 c4d5 e6d5 e4e8 d7e8 e1e8 f8e8 h4h5 f7f6 h5g6 h7g6 a1h1 e8f8 h1h7 f6c6
g3g4 a5c4 g4g5 c4e3 g2f3 e3f5 d3f5 g6f5 f3g3 c6c3 g3h4 c3f3 g5g6 f3f4 h4g5 f4e4 g5f6 f8g8 h7g7 g8h8
g7c7 e4e8 f6f5 e8e4 f5f6 e4f4 f6e5 f4g4 g6g7 h8g8 c7a7 g4g1 e5d5 g1c1 d5d6 c1c2 d4d5 c2c1 a7c7 c1a1
d6c6 a1a4 d5d6
"""
