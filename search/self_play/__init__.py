"""Self-play: whole games in compiled code, and the reading of such games.

    from bluekrait.search.self_play.players.player import Player

    game = Player(nodes=1000, seed=1, chess960=10).play(number=7)

The engine itself never imports this: it is compiled when it is first asked for (see `core.native`).
"""
