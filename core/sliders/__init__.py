"""The gallery: every known way of finding where a slider attacks, side by side behind one interface.

    from bluekrait.core.sliders import gallery

    kindergarten = gallery.open_technique("kindergarten")
    kindergarten.queen_attacks(square, occupied)  # from Python, and inside kernels
    print(kindergarten.CARD.reference)

A technique is a module with `rook_attacks`, `bishop_attacks` and `queen_attacks`, and a CARD that says whose
idea it was and what it costs. Those that fill the board do so for many sliders at once: `rook_attacks_of` and
so on take a set. Those that keep the occupancy in several orders take, instead of the occupancy, a view of
it: `view_of` makes one, `put` and `remove` keep it in step with single squares.

Nothing here is imported, compiled or even read before it is asked for.
"""
