"""Stands in for fastchess in the tests: reads its command line, and writes games that nobody played."""

import os
import sys

MODE = os.environ.get("FAKE_RUNNER", "good")

arguments, values, engines = sys.argv[1:], {}, []
option = None
for word in arguments:
    if word.startswith("-"):
        option = word
        values.setdefault(option, [])
        if option == "-engine":
            engines.append({})
    elif option == "-engine":
        key, _, value = word.partition("=")
        engines[-1][key] = value
    else:
        values[option].append(word)

openings = next(word.partition("=")[2] for word in values["-openings"] if word.startswith("file="))
pgn = next(word.partition("=")[2] for word in values["-pgnout"] if word.startswith("file="))
with open(openings) as file:
    fens = file.read().split("\n")
games, rounds = int(values["-games"][0]), int(values["-rounds"][0])
names = [engine["name"] for engine in engines]

if MODE == "fatal":
    print("Fatal; engine A is not ready")
    sys.exit(1)

if MODE == "warn":
    print("Warning; something is odd\n" * 50)

number = wins = losses = draws = 0
for index in range(rounds):
    for game in range(games):
        number += 1
        white, black = names if game == 0 else names[::-1]
        print(f"Started game {number} of {rounds * games} ({white} vs {black})")
        first_wins = index % 2 == 0
        if first_wins:
            result = "1-0" if game == 0 else "0-1"
            wins += 1
        else:
            result = "1/2-1/2"
            draws += 1
        text = f"""[Event "{" ".join(values["-event"])}"]
[Round "{index + 1}"]
[White "{white}"]
[Black "{black}"]
[Result "{result}"]
[SetUp "1"]
[FEN "{fens[index]}"]
[GameDuration "00:01:02"]
[PlyCount "7"]
[Termination "adjudication"]

1. e4 {{+0.10/5 0.042s}} e5 {{+0.11/6 0.012s, Draw by
adjudication}} {result}

"""
        with open(pgn, "a") as file:
            file.write(text[:40])
            file.flush()
            file.write(text[40:])
        print(f"Finished game {number} ({white} vs {black}): {result} {{Draw by adjudication}}")
        if MODE == "stop" and number == 3:
            print("Warning; something is odd")
            sys.exit(0)
print(f"Games: {number}, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: 1.0 (50.00 %)")
print("Finished match")
