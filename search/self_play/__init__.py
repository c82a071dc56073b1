"""Self-play: whole games in compiled code, and the reading of such games.

    from bluekrait.core.compiler import native
    from bluekrait.search.self_play.player import Player

    game = Player(nodes=1000, seed=1, chess960=10).play(number=7)

An annex of the engine: compiled when it is first asked for, and kept apart (see `core.compiler.cache`).
"""
