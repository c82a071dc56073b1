"""What `bluekrait --help` says."""

USAGE = """\
BlueKrait, a UCI chess engine written in Python.

usage: bluekrait                         play: speak UCI on standard input and output, as chess GUIs do
       bluekrait perft N [options]       count the positions N half-moves away (bluekrait perft --help)
       bluekrait warmup                  compile everything now, so that no later start has to
       bluekrait bench                   search a set of positions: the nodes identify how it plays
       bluekrait compiler                show versions, processor and the state of the cache
       bluekrait <uci command>           carry out a UCI command and leave
       bluekrait "<command>" ...         the same for several: one in each argument, at least one with a space
       bluekrait --help | --version

the laboratory (bluekrait <command> --help):
       bench --...      measure the project's own figures, beside what else is installed
       match, sprt      let engines play each other; test whether one of them is stronger
       gauntlet         rate the engine against the chess programs of this machine
       report           turn the games of a match into a page of figures and curves
       openings         find balanced openings
       sliders          compare every known way to find where sliding pieces attack
       datagen, data    keep positions of the engine's games against itself; look into such files
       tune, winrate    tune the evaluation or the search; fit what a score promises
       worker           let this machine work for others

examples:
       bluekrait perft 6
       bluekrait perft 5 --divide --fen "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
       bluekrait perft 7 --threads 2 --hash 256
       bluekrait go depth 15
       bluekrait bench 12 2 64
       bluekrait "position startpos moves e2e4 e7e5" d moves

Inside the UCI loop, help lists the commands and the options.

exit code: 0 all is well, 1 a command failed (an illegal position, say), 2 wrong arguments, 130 Ctrl-C"""
