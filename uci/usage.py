"""What `bluekrait --help` says."""

USAGE = """\
BlueKrait, a UCI chess engine written in Python.

usage: bluekrait                         play: speak UCI on standard input and output, as chess GUIs do
       bluekrait perft N [options]       count the positions N half-moves away (bluekrait perft --help)
       bluekrait warmup                  compile everything now, so that no later start has to
       bluekrait bench                   search a set of positions: the nodes identify how it plays
       bluekrait bench --help            the laboratory: measure speed, ...
       bluekrait datagen --help          ... let it play against itself and keep the positions,
       bluekrait tune --help             ... tune its evaluation with them
       bluekrait sliders --help          ... compare every known way to find where sliding pieces attack
       bluekrait compiler                show versions, processor and the state of the cache
       bluekrait <uci command>           carry out a UCI command and leave
       bluekrait "<command>" ...         the same for several: one in each argument, at least one with a space
       bluekrait --help | --version

examples:
       bluekrait perft 6
       bluekrait perft 5 --divide --fen "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
       bluekrait perft 7 --threads 2 --hash 256
       bluekrait go depth 15
       bluekrait bench 12 2 64
       bluekrait "position startpos moves e2e4 e7e5" d moves

Inside the UCI loop, help lists the commands and the options.

exit code: 0 all is well, 1 a command failed (an illegal position, say), 2 wrong arguments, 130 Ctrl-C"""
