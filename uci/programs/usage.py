"""What `bluekrait --help` prints."""

USAGE = """\
BlueKrait, a UCI chess engine written in Python.

usage: bluekrait                         play: speak UCI on standard input and output, as chess GUIs do
       bluekrait perft N [options]       count the sequences of N half-moves (bluekrait perft --help)
       bluekrait warmup                  compile everything now, so that later starts are fast
       bluekrait bench                   search a set of positions; the node count is the signature
       bluekrait compiler                print versions, processor and the state of the cache
       bluekrait <uci command>           run a UCI command and exit
       bluekrait "<command>" ...         run several: one in each argument, at least one with a space
       bluekrait --help | --version

your games (bluekrait <command> --help):
       play             open a board in the browser: play at any strength, and analyse
       analyse          annotate the games of a PGN file, or solve a suite of test positions

the laboratory (bluekrait <command> --help):
       bench --...      measure the project's own figures and those of other installed programs
       match, sprt      let engines play against each other; test whether one is stronger
       gauntlet         rate the engine against the chess programs of this machine
       choices          which engine chooses the better moves, where games would take too long
       report           make a page of figures and curves from the games of a match
       openings         find balanced openings
       sliders          compare the methods to compute the attacks of sliding pieces
       datagen, data    write positions of the engine's games against itself; inspect such files
       tune, winrate    tune the evaluation or the search; fit the winning chance of a score
       worker           count and search for other machines

examples:
       bluekrait perft 6
       bluekrait perft 5 --divide --fen "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
       bluekrait perft 7 --threads 2 --hash 256
       bluekrait go depth 15
       bluekrait bench 12 2 64
       bluekrait "position startpos moves e2e4 e7e5" d moves

Inside the UCI loop, help lists the commands and the options.

exit code: 0 success, 1 a command failed (an illegal position, for example), 2 wrong arguments,
           3 warmup could not keep what it compiled, 130 Ctrl-C"""
