"""The gallery: a collection of all known techniques for sliding attacks, behind one interface.

    from bluekrait.core.sliders import gallery

    kindergarten = gallery.open_technique("kindergarten")
    kindergarten.queen_attacks(square, occupied)  # from Python, and inside kernels
    print(kindergarten.ABOUT.reference)

A technique is a module with `rook_attacks`, `bishop_attacks` and `queen_attacks`, and with ABOUT, which names
its inventor and its costs. Fill techniques work on many sliders at once: `rook_attacks_of` and so on take a
set. Rotated bitboards keep the occupancy in several orders and take that instead of the occupancy:
`rotated_occupancy` makes it, `add_piece` and `remove_piece` update it.

Nothing here is imported or compiled before it is asked for.
"""
