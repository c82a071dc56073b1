"""Splitting PGN files: good ones, and files that break the rules of PGN."""

import io

import pytest

from bluekrait.tools.analyst.played_game import read_game
from bluekrait.tools.common.pgn_splitter import GameText, games_in

GAME = '[Event "One"]\n[White "A"]\n\n1. e4 e5 2. Nf3 *\n'


def split(content, encoding="utf-8"):
    return list(games_in(io.BytesIO(content.encode(encoding) if isinstance(content, str) else content)))


def moves_of(content):
    return [len(read_game(text).moves) for text in split(content)]


@pytest.mark.parametrize("content", ["", "\n \n\t\n", "\ufeff"])
def test_nothing_holds_no_game(content):
    assert [text for text in split(content) if text.text.strip()] == []


@pytest.mark.parametrize(
    "content, moves",
    [
        (GAME, [3]),
        (3 * GAME, [3, 3, 3]),
        (GAME.replace("\n", "\r\n") + GAME.replace("\n", "\r"), [3, 3]),
        ("1. e4 e5 *\n\n1. d4 d5 2. c4 1-0\n1. c4 0-1\n", [2, 3, 1]),
        ('[Event "No moves"]\n\n*\n' + GAME, [0, 3]),
        ('[Event "Tags only"]\n\n' + GAME.replace("One", "Two"), [0, 3]),
        ('[Event "Tags only"]\n[Result "*"]\n\n% an escape\n' + GAME, [0, 3]),
        ('[Event "One"]\n\n[White "A"]\n\n\n[Black "B"]\n\n\n1. e4 *\n', [1]),
        ('[Event "x"]\n\n1. e4\n\n\n1... e5\n\n2. Nf3 *\n\n' + GAME, [3, 3]),
        ('[Event "x"]\n\n1. e4 {A comment\n\n[Event "in a comment, after text"] still\n} e5 *\n', [2]),
        ('[Event "x"]\n\n1. e4 {never closed\n\n' + GAME, [1, 3]),
        ('[Event "x"]\n\n1. e4 ; a { that opens nothing\ne5 *\n' + GAME, [2, 3]),
        ('[Event "x"]\n\n1. e4 e5 (1... c5 1-0\n) 2. d4 *\n', [0]),
        ('[Event "x"]\n% an escape { line\n\n1. e4\n% another {\ne5 *\n' + GAME, [2, 3]),
        ('[Event "x"]\n\n1. e4 ; not 1-0\ne5 ; 1/2-1/2\n2. Nf3 *; 1-0\n' + GAME, [3, 3]),
        ('[Event "x"]\n\n1. e4\n% by a program 1-0\ne5 *\n' + GAME, [2, 3]),
        ("% a head\n" + GAME + "\n; between 1-0\n\n% an escape\n" + GAME + "% the end\n", [3, 3]),
        ("% only\n; remarks\n", []),
        ("{ a head }\n\n" + GAME + "{ White\nresigns }\n% an escape\n; { a remark\n\n" + GAME, [3, 3]),
        ("1. e4 *\n{ of the next game }\n1. d4 d5 *\n{ the end }\n", [1, 2]),
        ("{ only }\n", []),
        ("{ only, and never closed\n", []),
        ('[Round 1]\n[Event "x"]\n[Round 1]\n[A-b "c"]\n\n1. e4 *\n' + GAME, [1, 3]),
        ('[Event "x"]\n\n1. e4\n[A-b "c"]\n\n1. d4 d5 *\n', [1, 2]),
        ('  [Event "indented"]\n\n1. e4 *\n' + GAME, [1, 3]),
        ('[Annotator "A"]\n[Annotator "B"]\n\n1. e4 *\n' + GAME, [1, 3]),
        ("1. e4 {a comment\n[%clk 0:01:00] that ends here} e5 *\n\n1. d4 *\n", [2, 1]),
    ],
)
def test_games_are_told_apart(content, moves):
    assert moves_of(content) == moves


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le"])
def test_a_mark_before_each_part_of_a_file_belongs_to_no_game(encoding):
    games = [read_game(text) for text in split(2 * f"\ufeff{GAME}\n", encoding)]
    assert [(len(game.moves), game.tree.headers["Event"]) for game in games] == [(3, "One"), (3, "One")]


def test_tags_beside_one_that_is_malformed_are_read():
    (text,) = split('[White "A"]\n[Round 1]\n\n\n[Black-Elo "9"]\n[Black "B"]\n\n1. e4 *\n')
    headers = read_game(text).tree.headers
    assert (headers["White"], headers["Black"], headers["Black-Elo"]) == ("A", "B", "9")


def test_comments_behind_semicolons_are_kept():
    (text,) = split(
        '[Event "x"]\n; first\n% an escape\n[Site "y"]\n; second\n\n'
        "1. e4 ; a {good} move\n% 1... d5\n; the best\n1... e5 ;\n(1... c5 ; Sicilian\n) 2. Nf3 {;} *\n"
    )
    game = read_game(text)
    first, second, third = game.nodes
    assert (game.tree.headers["Site"], game.tree.comment) == ("y", "first second")
    assert (first.comment, second.comment, third.comment) == ("a {good) move the best", "", ";")
    assert first.variation(1).comment == "Sicilian"


def test_numbers_and_lines():
    texts = split("\n\n" + GAME + "\n" + GAME)
    assert [(text.number, text.line) for text in texts] == [(1, 3), (2, 8)]
    assert texts[0].text == GAME
    texts = split("{ a comment }\n" + GAME + "{ another }\n" + GAME)
    assert [(text.number, text.line) for text in texts] == [(1, 2), (2, 7)]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "latin-1", "cp1252", "utf-16", "utf-16-le-bom", "utf-16-be-bom"]
)
def test_encodings(encoding):
    text = GAME.replace('"A"', '"Réti"') + "\n" + GAME
    marks = {"utf-16-le-bom": b"\xff\xfe", "utf-16-be-bom": b"\xfe\xff"}
    content = marks.get(encoding, b"") + text.encode(encoding.removesuffix("-bom"))
    games = [read_game(one) for one in split(content)]
    assert [game.tree.headers["White"] for game in games] == ["Réti", "A"]
    assert [len(game.moves) for game in games] == [3, 3]


def test_a_game_in_another_encoding_costs_nobody_else_theirs():
    mixed = GAME.replace('"A"', '"Réti"')
    names = [
        read_game(one).tree.headers["White"]
        for one in split(mixed.encode() + b"\n" + mixed.encode("latin-1"))
    ]
    assert names == ["Réti", "Réti"]


@pytest.mark.parametrize(
    "content", [b"\0" * 100, bytes(range(256)) * 20, b"\x89PNG\r\n\x1a\n" + b"\xff" * 50]
)
def test_bytes_that_are_no_text_do_no_harm(content):
    games = [read_game(one) for one in split(content + b"\n\n" + GAME.encode())]
    assert len(games[-1].moves) == 3


BLACK_BEGINS = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


@pytest.mark.parametrize(
    "text, problem",
    [
        ('[Event "x"]\n\n1. e4 e5 2. Ke3 *', "illegal san: 'Ke3'"),
        ('[Event "x"]\n\n1. e4 e5 (1... Qh4) 2. d4 *', "illegal san: 'Qh4'"),
        ("1. d4 d5 2. Sf3 Sf6 *", "cannot read 'Sf3'"),
        ("1. d4 {Sf3 ♘} d5 (1... Nf6 2.Lc5) 2. c4 *", "cannot read '2.Lc5'"),
        ("1. d4 d5 2. ♘f3 *", "cannot read '♘f3'"),
        ("1. d4 d5 2. \u041af3 *", "cannot read '\u041af3'"),
        ("1. e4 E5 2. Nf3 *", "cannot read 'E5'"),
        ("1. Pe4 e5 *", "cannot read 'Pe4'"),
        ("1. e4 d5 2. e:d5 *", "cannot read 'e:d5'"),
        ("1. d4 d5 2. Nf3 Nf6 3. Nc3 Sxd4 *", "cannot read 'Sxd4'"),
        ("1. P-K4 P-K4 2. N-KB3 *", "cannot read 'P-K4'"),
        ("1. e4 d5 2. ed ed 3. d4 *", "cannot read 'ed'"),
        ("1. e4 d5 2. Nc3 de 3. Nxe4 *", "cannot read 'de'"),
        ("1. e4 ed (1... e5 (1... c5) d4) 2. Nf3 *", "cannot read 'ed'"),
        ("1. e4 (1. d4 (1. c4 c5) d5) e5 2. OO *", "cannot read 'OO'"),
        ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. OO *", "cannot read 'OO'"),
        ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Be7 4. Re1 O\u2013O *", "cannot read 'O\u2013O'"),
        ("1. e4 ♞\ufe0ef6 *", "cannot read '♞\ufe0ef6'"),
        ("1. 5254 5755 *", "cannot read '5254'"),
        ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. o-o *", "cannot read 'o-o'"),
        ("1. e4 e5) 2. Nf3 aa bb 3. Bb5 *", "cannot read 'aa'"),
        ('[FEN "nonsense"]\n\n1. e4 *', "expected"),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n[SetUp "1"]\n\n*', "king"),
        ('[Variant "Atomic"]\n\n1. e4 *', "the variant Atomic is not chess"),
        ('[Variant "Nothing"]\n\n1. e4 *', "Nothing"),
        ('[Event "x"]\n\n1. e4 -- 2. d4 *', "null move"),
    ],
)
def test_problems_are_told(text, problem):
    (game,) = (read_game(one) for one in split(text))
    assert problem in game.problem and "\n" not in game.problem


@pytest.mark.parametrize(
    "text, moves",
    [
        ("1.e2-e4!! $1 N h7h6?! ( 1... d5 +/= ∓ ) 2. e4-e5 d7-d5 3. e5xd6e.p. D ½-½", 5),
        ("1. e4 TN e5 (1... c5 is the Sicilian) 2. Qh5 <reserved> Nc6 RR 3. Bc4 Nf6 4. Qxf7mate! 1-0 ff", 7),
        (f'[FEN "{BLACK_BEGINS}"]\n[SetUp "1"]\n\n1. ... e5 2. Nf3 Nc6 *', 3),
        ("1. e4 \u2026e5 2. \u2013Nf3 *", 3),
        ("1. e4 {see {the note} below} d5 2. Bb5+ch Bd7 dis.ch 3. Bxd7 mate Black resigns", 5),
    ],
)
def test_signs_and_remarks_beside_moves_are_no_problem(text, moves):
    game = read_game(GameText(1, 1, text))
    assert (game.problem, len(game.moves)) == (None, moves)


def test_variations_nested_deeply_are_read():
    depth = 400
    nested = '[Event "x"]\n\n1. e4 e5 ' + "(1... c5 " * depth + ")" * depth + " 2. Nf3 *"
    (game,) = (read_game(one) for one in split(nested))
    assert (game.problem, len(game.moves)) == (None, 3)


class ManyGames(io.RawIOBase):
    """A file of a hundred thousand games that is nowhere as a whole."""

    size = 100_000 * len(GAME)
    place = 0

    def readable(self):
        return True

    def seekable(self):
        return True

    def seek(self, offset, whence=0):
        self.place = offset
        return offset

    def readinto(self, buffer):
        count, start = min(len(buffer), self.size - self.place, 1 << 16), self.place % len(GAME)
        buffer[:count] = (GAME.encode() * (count // len(GAME) + 2))[start : start + count]
        self.place += count
        return count


def test_a_hundred_thousand_games_are_read_one_after_another():
    file = ManyGames()
    games = games_in(io.BufferedReader(file))
    assert next(games).text == GAME
    assert file.place < 200_000
    assert 1 + sum(1 for _ in games) == 100_000
