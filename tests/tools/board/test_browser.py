"""The page of `bluekrait play` in a real browser: what mouse and keys do, and what other pages cannot do."""

import io
import json
import re
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import chess.pgn
import pytest

from bluekrait import Engine

pytest.importorskip("starlette", reason="the extra [play] is not installed")
pytest.importorskip("playwright", reason="playwright is not installed")

import playwright.sync_api as playwright

from bluekrait.search.self_play.players.player import Player
from bluekrait.tools.board.browser import browser, chromium
from bluekrait.tools.board.live import watch
from bluekrait.tools.board.live.files import work_at
from bluekrait.tools.data.formats import game_file
from bluekrait.tools.match.results.game_journal import GameJournal
from bluekrait.tools.tuning.evaluation.error_log import ErrorLog
from helpers.board import origin_of, serving
from helpers.match.finished import TEST, finished_games
from helpers.waiting import PATIENCE

expect = playwright.expect
expect.set_options(timeout=1000 * PATIENCE)

pytestmark = pytest.mark.skipif(not chromium(), reason="no Chromium is installed")

SCREEN = {"width": 1180, "height": 860}
CASTLING_960 = "4k3/8/8/8/8/8/8/1R2K1R1 w BG - 0 1"
PROMOTION = "7k/P7/8/8/8/8/8/K7 w - - 0 1"
SOME_MINUTES_LESS = re.compile(r"^2\d:\d\d$")  # a clock that began with 30 minutes, and runs
SOME_SECONDS_LESS = re.compile(r"^2\d:[0-5][0-7]$")  # and has run for two seconds and more


@pytest.fixture(scope="module")
def board(warm_cache):
    """The server, and a browser."""
    with serving(engines=8) as gate, browser() as opened:
        yield gate, opened


@pytest.fixture(scope="module")
def context(board):
    context = board[1].new_context(viewport=SCREEN, reduced_motion="reduce")
    yield context
    context.close()


@pytest.fixture(scope="module")
def tab(context):
    """A tab that the tests use one after the other: a new one would take longer than most of them."""
    return context.new_page()


@pytest.fixture
def page(board, tab):
    """The page of a visitor who is new. It must not report an error."""
    errors = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.set_viewport_size(SCREEN)
    if tab.url.startswith(origin_of(board[0])):
        tab.evaluate("() => { sessionStorage.clear(); localStorage.clear(); }")
    enter(tab, board[0])
    yield tab
    assert not errors


def enter(page, gate):
    page.goto(gate.address)
    expect(page.locator("body")).to_have_attribute("data-ready", "true")


# --- what a hand does ---------------------------------------------------------------------------------


def point(page, square):
    """The middle of a square."""
    box = page.locator("cg-board").bounding_box()
    is_turned = "orientation-black" in page.locator("#board").get_attribute("class")
    file, rank = "abcdefgh".index(square[0]), int(square[1]) - 1
    file, rank = (7 - file, rank) if is_turned else (file, 7 - rank)
    return box["x"] + box["width"] * (file + 0.5) / 8, box["y"] + box["height"] * (rank + 0.5) / 8


def click(page, move):
    page.mouse.click(*point(page, move[:2]))
    page.mouse.click(*point(page, move[2:4]))


def drag(page, move):
    page.mouse.move(*point(page, move[:2]))
    page.mouse.down()
    page.mouse.move(*point(page, move[2:4]), steps=3)
    page.mouse.up()


def played(page):
    return page.locator("#moves .move").all_inner_texts()


def is_over(board):
    """Whether the page ends the game here. A player can claim a draw one move before it does."""
    return board.is_game_over() or board.is_repetition(3) or board.is_fifty_moves()


def expect_moves(page, *moves):
    expect(page.locator("#moves .move")).to_have_text(list(moves))


def new_game(page, **fields):
    """A new game by its dialog."""
    page.click("#new")
    dialog = page.locator("#new-dialog")
    if "elo" in fields:
        dialog.locator('[name="elo"]').fill(str(fields.pop("elo")))
    for name in ("start", *fields):
        if name in ("fen", "number"):
            dialog.locator(f'[name="{name}"]').fill(fields[name])
        elif name in fields:
            dialog.locator(f'[name="{name}"]').select_option(fields[name])
    dialog.locator("button.main").click()
    expect(dialog).to_be_hidden()


def from_fen(page, fen):
    new_game(page, human="both", start="fen", fen=fen)
    expect(page.locator("#said")).to_contain_text("White to move")


def fen_of(page):
    """The position that the dialog for PGN shows."""
    page.click("#pgn")
    expect(page.locator("#pgn-dialog")).to_be_visible()
    expect(page.locator("#fen")).to_contain_text("FEN: ")
    text = page.locator("#fen").inner_text()
    page.keyboard.press("Escape")
    return text.removeprefix("FEN: ")


# --- games --------------------------------------------------------------------------------------------


def test_whole_game_by_mouse(page):
    """Our engine moves the mouse; that of the page plays as weakly as it can."""
    new_game(page, elo=800, seconds="0.1")
    board = chess.Board()
    with Engine(hash_mb=1) as player:
        while not is_over(board):
            move = str(player.search(board, nodes=2000).move)
            san = board.san(chess.Move.from_uci(move))
            (click if board.fullmove_number % 2 else drag)(page, move)
            if move[4:]:
                page.click('#promotion [aria-label="queen"]')
            board.push_uci(move)
            if is_over(board):
                break
            expect(page.locator("#moves .move")).to_have_count(len(board.move_stack) + 1)
            made, reply = played(page)[-2:]
            assert made == san
            board.push_san(reply)
    expect(page.locator("#said")).to_contain_text(board.result(claim_draw=True))
    expect(page.locator("#resign")).to_be_hidden()
    assert len(played(page)) == len(board.move_stack)


def test_playing_black_turns_the_board(page):
    new_game(page, human="black", elo=800)
    expect(page.locator("#moves .move")).to_have_count(1)
    click(page, "e7e5")
    expect(page.locator("#moves .move")).to_have_count(3)
    assert played(page)[1] == "e5"
    expect(page.locator("#upper .name")).to_have_text("BlueKrait, 800 Elo")


@pytest.mark.parametrize("piece, san", [("queen", "a8=Q+"), ("knight", "a8=N")])
def test_promotion(page, piece, san):
    from_fen(page, PROMOTION)
    drag(page, "a7a8")
    page.click(f'#promotion [aria-label="{piece}"]')
    expect_moves(page, san)
    expect(page.locator("#promotion")).to_be_hidden()


def test_promotion_can_be_given_up(page):
    from_fen(page, PROMOTION)
    click(page, "a7a8")
    expect(page.locator('#promotion [aria-label="queen"]')).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#promotion")).to_be_hidden()
    assert played(page) == []
    click(page, "a7a8")
    expect(page.locator('#promotion [aria-label="queen"]')).to_be_focused()
    page.keyboard.press("Enter")
    expect_moves(page, "a8=Q+")


def test_promotion_can_be_given_up_by_a_press_elsewhere(page):
    from_fen(page, PROMOTION)
    click(page, "a7a8")
    expect(page.locator("#promotion")).to_be_visible()
    page.mouse.click(*point(page, "e4"))
    expect(page.locator("#promotion")).to_be_hidden()
    assert played(page) == []
    click(page, "a1b1")
    expect_moves(page, "Kb1")


@pytest.mark.parametrize("rook, san, row", [("g1", "O-O", "1R3RK1"), ("b1", "O-O-O", "2KR2R1")])
def test_castling_in_chess960(page, rook, san, row):
    from_fen(page, CASTLING_960)
    (click if san == "O-O" else drag)(page, "e1" + rook)
    expect_moves(page, san)
    assert fen_of(page).startswith(f"4k3/8/8/8/8/8/8/{row} b")


def test_position_of_chess960_by_its_number(page):
    new_game(page, human="both", start="960", number="0")
    click(page, "d2d4")
    expect_moves(page, "d4")
    assert fen_of(page).startswith("bbqnnrkr/pppppppp/8/8/3P4/")


def test_a_number_that_is_hidden_again_does_not_matter(page):
    page.click("#new")
    dialog = page.locator("#new-dialog")
    dialog.locator('[name="start"]').select_option("960")
    dialog.locator('[name="number"]').fill("1000")
    dialog.locator('[name="start"]').select_option("chess")
    dialog.locator("button.main").click()
    expect(dialog).to_be_hidden()


def test_castling_in_chess(page):
    from_fen(page, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    click(page, "e1g1")
    expect_moves(page, "O-O")
    click(page, "e8a8")
    expect_moves(page, "O-O", "O-O-O")


def test_illegal_moves_are_not_made(page):
    click(page, "e2e5")
    drag(page, "d1d3")
    page.fill("#typed", "Ke2")
    page.keyboard.press("Enter")
    expect(page.locator("#notice")).to_contain_text("not a legal move")
    expect(page.locator("#typed")).to_have_value("Ke2")  # and can be mended
    assert played(page) == []
    assert fen_of(page) == chess.STARTING_FEN


def test_an_empty_field_of_moves_is_ignored(page):
    new_game(page, human="both")
    for text in (" ", "e4"):
        page.fill("#typed", text)
        page.keyboard.press("Enter")
    expect_moves(page, "e4")
    expect(page.locator("#notice")).to_be_empty()


def test_take_back(page):
    new_game(page, elo=800)
    click(page, "e2e4")
    expect(page.locator("#moves .move")).to_have_count(2)
    page.keyboard.press("Home")
    expect(page.locator("#moves [aria-current]")).to_have_count(0)
    page.click("#back")  # the game is taken back, wherever one looks
    expect(page.locator("#moves .move")).to_have_count(0)
    click(page, "d2d4")
    expect(page.locator("#moves .move")).to_have_count(2)
    assert played(page)[0] == "d4"


def test_clocks(page):
    new_game(page, human="both", minutes="30", increment="5")
    expect(page.locator("#lower .clock")).to_have_text("30:00")
    click(page, "e2e4")
    expect(page.locator("#upper .clock")).to_have_class(re.compile("running"))
    expect(page.locator("#upper .clock")).to_have_text(SOME_MINUTES_LESS)


def test_a_page_tells_that_it_waits_for_an_engine(board):
    _, opened = board
    with serving(engines=1) as gate:
        first, second = opened.new_page(), opened.new_page()
        enter(first, gate)
        first.check("#analyse")
        expect(first.locator("#lines li")).to_have_count(3)
        enter(second, gate)
        second.check("#analyse")
        expect(second.locator("#depth")).to_have_text("All engines are at work for other pages")
        click(second, "e2e4")
        expect(second.locator("#said")).to_contain_text("when one is free")
        first.uncheck("#analyse")
        expect(second.locator("#moves .move")).to_have_count(2)
        first.close()
        second.close()


# --- lost and found -----------------------------------------------------------------------------------


def test_reload_in_the_middle_of_a_game(page):
    new_game(page, human="both")
    click(page, "e2e4")
    expect_moves(page, "e4")  # before that, no black piece can be moved
    click(page, "e7e5")
    expect_moves(page, "e4", "e5")
    page.reload()
    expect_moves(page, "e4", "e5")
    click(page, "g1f3")
    expect_moves(page, "e4", "e5", "Nf3")


def cut_connections(gate):
    """End all connections as a broken network does."""
    for protocol in list(gate.server.server_state.connections):
        protocol.loop.call_soon_threadsafe(protocol.transport.abort)


def test_connection_lost_and_back(board, context, page):
    new_game(page, human="both")
    click(page, "e2e4")
    expect_moves(page, "e4")
    context.set_offline(True)
    cut_connections(board[0])
    expect(page.locator("#state")).to_contain_text("connection is lost")
    click(page, "e7e5")  # nothing can be moved now
    page.keyboard.press("f")
    page.mouse.click(*point(page, "e7"))
    expect(page.locator("#board")).to_have_class(re.compile("orientation-black"))
    assert page.locator("cg-board square.selected").count() == 0
    context.set_offline(False)
    expect(page.locator("#state")).to_be_empty()
    expect_moves(page, "e4")
    click(page, "c7c5")
    expect_moves(page, "e4", "c5")


def test_clocks_stand_without_a_connection(board, context, page):
    new_game(page, human="both", minutes="30")
    expect(page.locator("#upper .clock")).to_have_text("30:00")
    click(page, "e2e4")
    clock = page.locator("#upper .clock")
    expect(clock).to_have_text(SOME_SECONDS_LESS)
    page.keyboard.press("f")
    assert page.locator("#lower .clock").inner_text() < "29:58"  # it does not begin again
    page.keyboard.press("f")
    context.set_offline(True)
    cut_connections(board[0])
    expect(page.locator("#state")).to_contain_text("connection is lost")
    expect(page.locator(".clock.running")).to_have_count(0)
    context.set_offline(False)
    expect(clock).to_have_class(re.compile("running"))


def test_what_cannot_be_done_without_a_connection_is_told(board, context, page):
    page.click("#pgn")
    page.fill("#pgn-dialog textarea", "1. c4 c5 *\n\n1. f4 *\n")
    page.locator("#pgn-dialog button.main").click()
    expect_moves(page, "c4", "c5")
    context.set_offline(True)
    cut_connections(board[0])
    expect(page.locator("#state")).to_contain_text("connection is lost")
    page.click("#analyse")
    expect(page.locator("#notice")).to_contain_text("no connection")
    expect(page.locator("#analyse")).not_to_be_checked()
    page.select_option("#games", "2")
    expect(page.locator("#games")).to_have_value("1")
    context.set_offline(False)
    expect(page.locator("#state")).to_be_empty()


def test_buttons_do_nothing_before_there_is_a_game(board, context):
    early, errors = context.new_page(), []
    early.on("pageerror", lambda error: errors.append(str(error)))
    early.route_web_socket(re.compile("/talk"), lambda socket: None)  # it is open, and nothing is told
    early.goto(board[0].address)
    for button in ("#setup", '[data-step="turn"]', "#new"):
        early.click(button)
    early.keyboard.press("s")
    assert early.locator("dialog[open]").count() == 0 and errors == []
    early.close()


def test_second_tab_has_a_game_of_its_own(board, context, page):
    new_game(page, human="both")
    click(page, "e2e4")
    second = context.new_page()
    enter(second, board[0])
    new_game(second, human="both")
    click(second, "d2d4")
    expect_moves(second, "d4")
    expect_moves(page, "e4")
    second.close()


def test_copy_of_a_tab_takes_the_game_over(context, page):
    new_game(page, human="both")
    click(page, "e2e4")
    expect_moves(page, "e4")
    with context.expect_page() as opened:
        page.evaluate("() => void window.open(location.href)")  # as "duplicate" does, it has the same session
    copy = opened.value
    expect_moves(copy, "e4")
    expect(page.locator("#state")).to_contain_text("open in another tab")
    connections = []
    page.on("websocket", lambda socket: connections.append(socket))
    page.evaluate(
        "() => void dispatchEvent(new Event('online'))"
    )  # a network came back, and nothing is lost here
    assert page.evaluate("1") and connections == []
    page.get_by_role("button", name="Go on here").click()
    expect(page.locator("#state")).to_be_empty()
    expect(copy.locator("#state")).to_contain_text("open in another tab")
    copy.close()


# --- studying -----------------------------------------------------------------------------------------


def test_analysis(page):
    page.keyboard.press("a")
    expect(page.locator("#lines li")).to_have_count(3)
    expect(page.locator("#bar")).to_be_visible()
    expect(page.locator(".cg-shapes line")).to_have_count(3)
    page.select_option("#count", "1")
    expect(page.locator("#lines li")).to_have_count(1)
    page.click("#study")
    expect(page.locator("#study")).to_be_hidden()  # before that, no line can be tried
    page.locator("#lines li button").nth(1).click()
    expect(page.locator("#moves .move")).to_have_count(2)
    page.keyboard.press("a")
    expect(page.locator("#bar")).to_be_hidden()
    expect(page.locator(".cg-shapes line")).to_have_count(0)


def test_bar_at_the_end_of_a_game(page):
    from_fen(page, "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1")
    page.keyboard.press("a")
    expect(page.locator("#bar span")).to_contain_text("#")
    page.keyboard.press("a")
    from_fen(page, chess.STARTING_FEN)  # however long it is analysed, it is no mate
    page.keyboard.press("a")
    expect(page.locator("#bar span")).to_have_text(re.compile(r"^\d+\.\d$"))
    from_fen(page, "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1")
    expect(page.locator("#bar span")).to_contain_text("#")
    click(page, "f1f7")
    expect(page.locator("#bar span")).to_have_text("½")
    expect(page.locator("#bar")).to_have_attribute("aria-label", "White's chances 50 %")


def end_of_bar(page, part):
    """The end of the bar where a part of it stands."""
    bar, box = (page.locator(name).bounding_box() for name in ("#bar", f"#bar {part}"))
    return "top" if box["y"] + box["height"] / 2 < bar["y"] + bar["height"] / 2 else "bottom"


def test_bar_has_the_sides_of_the_board(page):
    white = page.locator("#bar i")
    from_fen(page, "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1")
    page.keyboard.press("a")
    click(page, "f1f7")  # stalemate
    expect(white).to_have_attribute("style", "height: 50%;")
    assert end_of_bar(page, "i") == "bottom"
    page.keyboard.press("f")
    assert end_of_bar(page, "i") == "top"
    page.keyboard.press("f")
    page.keyboard.press("u")
    click(page, "f1f8")  # mate
    expect(white).to_have_attribute("style", "height: 100%;")
    assert end_of_bar(page, "span") == "bottom"  # the score stands at the side that is better
    from_fen(page, "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2")
    click(page, "g2g4")
    click(page, "d8h4")  # mate
    expect(white).to_have_attribute("style", "height: 0%;")
    assert end_of_bar(page, "span") == "top"
    expect(page.locator("#bar")).to_have_attribute("aria-label", "White's chances 0 %")


def test_evaluation_by_term(page):
    page.check("#terms")
    expect(page.locator("#evaluation tbody tr").first).to_contain_text("tempo")
    page.check("#worths")
    expect(page.locator(".cg-custom-svgs text, .cg-shapes text")).to_have_count(30)  # a king has no worth
    page.uncheck("#terms")
    expect(page.locator("#evaluation tbody tr")).to_have_count(0)


def test_games_of_a_file(page, tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(
        '[White "Anna"]\n[Black "Bert"]\n\n1. e4 e5 2. Nf3 (2. f4 exf4) 2... Nc6 { well } *\n\n'
        '[White "Cleo"]\n[Black "Dora"]\n\n1. d4?! d5 *\n'
    )
    page.click("#pgn")
    page.set_input_files("#pgn-dialog [name=file]", path)
    page.locator("#pgn-dialog button.main").click()
    expect_moves(page, "e4", "e5", "Nf3", "Nc6")
    expect(page.locator("#lower .name")).to_have_text("Anna")
    page.keyboard.press("End")
    expect(page.locator("#comment")).to_have_text("well")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#moves [aria-current]")).to_have_text("Nf3")
    page.locator(".others button").click()
    expect_moves(page, "e4", "e5", "f4", "exf4")
    page.select_option("#games", "2")
    expect_moves(page, "d4?!", "d5")
    page.reload()
    expect(page.locator("#games")).to_have_value("2")
    page.click("#pgn")
    with page.expect_download() as saving:
        page.click("#save")
    saved = chess.pgn.read_game(io.StringIO(saving.value.path().read_text()))
    assert saved.headers["Black"] == "Dora" and saved.next().nags == {6}
    page.fill("#pgn-dialog textarea", "1. c4 *\n\n1. f4 *\n")
    page.locator("#pgn-dialog button.main").click()
    expect_moves(page, "c4")
    expect(page.locator("#games")).to_have_value("1")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings_of_files(page, tmp_path, encoding):
    path = tmp_path / "game.pgn"
    path.write_bytes('[White "Réti"]\n\n1. Nf3 *\n'.encode(encoding))
    page.click("#pgn")
    page.set_input_files("#pgn-dialog [name=file]", path)
    page.locator("#pgn-dialog button.main").click()
    expect_moves(page, "Nf3")
    expect(page.locator("#lower .name")).to_have_text("Réti")


def test_wrong_file_is_told(page):
    page.click("#pgn")
    page.fill("#pgn-dialog textarea", "1. e4 e4 *")
    page.locator("#pgn-dialog button.main").click()
    expect(page.locator("#notice")).to_contain_text("game 1")
    expect(page.locator("#pgn-dialog")).to_be_hidden()
    page.keyboard.press("s")
    fen = page.locator('#setup-dialog [name="fen"]')
    fen.fill("nothing")
    fen.press("Enter")
    expect(page.locator("#notice")).to_contain_text("fields")


def test_a_text_that_was_refused_is_put_back_once(page):
    text, fen = page.locator("#pgn-dialog textarea"), page.locator('#setup-dialog [name="fen"]')
    page.click("#pgn")
    text.fill("1. e4 e4 *")
    page.locator("#pgn-dialog button.main").click()
    expect(page.locator("#notice")).to_contain_text("game 1")
    page.click("#setup")
    fen.fill("nothing")
    page.keyboard.press("Enter")
    expect(page.locator("#notice")).to_contain_text("fields")
    page.click("#pgn")
    expect(text).to_be_visible()  # the dialog opens with the server's answer
    expect(text).to_have_value("1. e4 e4 *")
    page.keyboard.press("Escape")
    page.click("#setup")
    expect(fen).to_have_value("nothing")
    page.keyboard.press("Escape")
    page.click("#setup")
    expect(fen).to_have_value(chess.STARTING_FEN)
    page.keyboard.press("Escape")
    page.click("#pgn")
    text.fill("1. e4 e4 *\n\n1. d4 *")  # the second game can be opened, and saved
    page.locator("#pgn-dialog button.main").click()
    expect(page.locator("#notice")).to_contain_text("game 1")
    page.select_option("#games", "2")
    expect_moves(page, "d4")
    page.click("#pgn")
    expect(text).to_be_visible()
    expect(text).to_have_value(re.compile("1. d4"))
    expect(text).not_to_have_value(re.compile("e4 e4"))


def test_a_late_answer_does_not_mix_with_a_text_that_is_pasted(board, context):
    held, page = [], context.new_page()

    def between(socket):
        server = socket.connect_to_server()
        server.on_message(
            lambda text: held.append((socket, text)) if '"written"' in text else socket.send(text)
        )

    page.route_web_socket(re.compile("/talk"), between)
    enter(page, board[0])
    page.click("#pgn")
    while not held:
        page.wait_for_timeout(50)
    assert page.locator("#pgn-dialog").is_hidden()
    socket, answer = held.pop()
    socket.send(answer)
    expect(page.locator("#pgn-dialog textarea")).to_have_value(json.loads(answer)["pgn"])
    page.fill("#pgn-dialog textarea", "1. e4 e4 *")
    page.locator("#pgn-dialog button.main").click()
    expect(page.locator("#notice")).to_contain_text("game 1")
    page.close()


def test_keyboard_alone(page):
    page.keyboard.press("n")
    page.keyboard.press("b")  # chooses "both sides" or "Black" in the list that has the focus
    page.locator('#new-dialog [name="human"]').select_option("both")
    page.locator("#new-dialog button.main").press("Enter")
    for count, move in enumerate(("f3", "e7e5", "g4", "Qh4#"), 1):
        page.fill("#typed", move)
        page.locator("#typed").press("Enter")
        expect(page.locator("#moves .move")).to_have_count(count)
    expect(page.locator("#said")).to_have_text("0-1, checkmate")
    page.locator("#typed").blur()
    page.keyboard.press("Home")
    expect(page.locator("#moves [aria-current]")).to_have_count(0)
    page.keyboard.press("f")
    expect(page.locator("#board")).to_have_class(re.compile("orientation-black"))
    page.keyboard.press("End")
    page.keyboard.press("u")
    expect(page.locator("#moves .move")).to_have_count(3)


def test_a_move_that_cannot_be_made_now_stays_in_its_field(page):
    new_game(page, human="both")
    click(page, "e2e4")
    expect_moves(page, "e4")
    page.keyboard.press("Home")
    expect(page.locator("#said")).to_contain_text("an earlier position")
    page.fill("#typed", "d4")
    page.keyboard.press("Enter")
    expect(page.locator("#notice")).to_have_text("No move can be made now.")
    expect(page.locator("#typed")).to_have_value("d4")


def test_keys_after_the_mouse(page):
    """They are for the board again, whatever was clicked last."""
    new_game(page, human="both", start="fen", fen=chess.STARTING_FEN)
    click(page, "e2e4")
    expect_moves(page, "e4")
    page.keyboard.press("Space")
    expect(page.locator("#new-dialog")).to_be_hidden()
    for place in ("#analyse", "label:has(#analyse) kbd"):
        page.click(place)
        expect(page.locator("#analyse")).not_to_be_focused()


def test_arrow_keys_step_through_a_game_that_was_chosen_in_the_list(page):
    page.keyboard.press("p")
    page.fill("#pgn-dialog textarea", "1. e4 e5 *\n\n1. d4 d5 *\n")
    page.locator("#pgn-dialog button.main").click()
    page.locator("#games").select_option("2")
    expect_moves(page, "d4", "d5")
    page.locator("#games").press("ArrowRight")
    expect(page.locator("#moves [aria-current]")).to_have_text("d4")
    expect(page.locator("#said")).to_have_text("d4, Black to move")
    expect(page.locator("#games")).to_have_value("2")


def test_buttons_keep_the_focus_while_the_page_changes(page):
    new_game(page, human="both")
    click(page, "e2e4")
    expect_moves(page, "e4")
    move = page.locator("#moves .move")
    page.keyboard.press("Home")
    expect(page.locator("#moves [aria-current]")).to_have_count(0)
    move.press("Enter")
    expect(move).to_have_attribute("aria-current", "true")
    expect(move).to_be_focused()
    page.keyboard.press("a")
    line, depth = page.locator("#lines button").first, page.locator("#depth")
    line.focus()
    expect(depth).not_to_have_text(re.compile(rf"^{depth.inner_text().partition(',')[0]},"))
    expect(line).to_be_focused()


def test_a_move_typed_at_once(page):
    """A new game has begun when its dialog is confirmed: no key can come before it."""
    page.keyboard.press("n")
    page.locator('#new-dialog [name="human"]').select_option("both")
    page.evaluate("""() => {
        document.querySelector("#new-dialog button.main").click();
        document.querySelector("#typed").value = "f3";
        document.querySelector("#typing").requestSubmit();
    }""")
    expect(page.locator("#moves .move")).to_have_count(1)
    after = chess.Board()
    after.push_san("f3")
    assert fen_of(page) == after.fen()  # asked last: a new game that came late would have taken the move away
    expect_moves(page, "f3")
    expect(page.locator("#said")).to_have_text("f3, Black to move")


def test_running_match(board, tmp_path, monkeypatch):
    """Figures, plots and games of a match change while it is played."""
    monkeypatch.setattr(watch, "REST", 0)
    _, opened = board
    first, second, *others = finished_games()
    with closing(GameJournal(tmp_path / "match.pgn", {"engines": []}, test=TEST)) as journal:
        journal.add(first)
        journal.add(second)
        with serving(work=work_at(str(tmp_path / "match.pgn"))) as gate:
            page = opened.new_page()
            enter(page, gate)
            expect(page.locator("#live h2")).to_have_text("new against old")
            expect(page.locator("#live .plots svg")).to_have_count(2)
            page.check("#live .games input")  # show each game that ends
            expect_moves(page, "e4", "e5")
            for game in others:
                journal.add(game)
            expect(page.locator("#live .about")).to_contain_text("8 games")
            page.select_option("#live select", "7")
            expect(page.locator("#lower .name")).to_have_text("new")
            page.close()


def tuned_evaluation(folder):
    ErrorLog(str(folder / "run.log"), {"epochs": 9, "positions": 1000, "result": 0}).add(1, 0.08, 0.09, 1)
    return folder / "run.log"


def tuned_search(folder):
    head = {"journal": "bluekrait tune search", "iterations": 10, "rows": [["margin", 100, 0, 200, 10]]}
    entry = {"iteration": 1, "games": [1, 2, 1], "values": {"margin": 105.0}}
    (folder / "search.jsonl").write_text(f"{json.dumps(head)}\n{json.dumps(entry)}\n")
    return folder / "search.jsonl"


def trained_network(folder):
    report = {"positions": 1000, "epoch": 0.5, "loss": 0.08, "speed": 7, "held_out": {"target": 0.09}}
    (folder / "losses.jsonl").write_text(json.dumps(report) + "\n")
    return folder


def generated_data(folder):
    games = game_file.pack_games([Player(seed=1, nodes=20, chess960=0).play(number) for number in range(2)])
    (folder / "games.bkg").write_bytes(game_file.pack_head({"seed": 1}) + games)
    return folder / "games.bkg"


@pytest.mark.parametrize(
    ("made", "title"),
    [
        (tuned_evaluation, "Tuning the evaluation: run.log"),
        (tuned_search, "Tuning the search: search.jsonl"),
        (trained_network, "Training a network: "),
        (generated_data, "Games of the engine against itself: games.bkg"),
    ],
)
def test_other_running_work(board, tmp_path, made, title):
    _, opened = board
    with serving(work=work_at(str(made(tmp_path)))) as gate:
        page = opened.new_page()
        enter(page, gate)
        expect(page.locator("#live h2")).to_contain_text(title)
        expect(page.locator("#live .plots svg")).to_have_count(1)
        assert page.locator("#live .plots svg").bounding_box()["height"] > 50
        page.close()


# --- how it looks -------------------------------------------------------------------------------------


def test_light_and_dark(page):
    body = page.locator("body")

    def paper():
        return page.evaluate("() => getComputedStyle(document.body).backgroundColor")

    page.emulate_media(color_scheme="light")
    light = paper()
    page.emulate_media(color_scheme="dark")
    expect(body).not_to_have_css("background-color", light)
    dark = paper()
    page.click("#theme")
    expect(page.locator("#theme")).to_contain_text("light")
    expect(body).to_have_css("background-color", light)
    page.click("#theme")
    expect(page.locator("#theme")).to_contain_text("dark")
    page.emulate_media(color_scheme="light")
    expect(body).to_have_css("background-color", dark)
    page.reload()  # what was chosen stays
    expect(body).to_have_css("background-color", dark)
    page.click("#theme")
    expect(page.locator("#theme")).to_contain_text("auto")
    expect(body).to_have_css("background-color", light)


@pytest.mark.parametrize("width, height", [(390, 844), (844, 390), (1024, 700), (1920, 1080)])
def test_page_fits_its_screen(page, width, height):
    page.set_viewport_size({"width": width, "height": height})
    page.check("#analyse")
    expect(page.locator("#lines li")).to_have_count(3)
    page.check("#terms")
    expect(page.locator("#evaluation tbody tr").first).to_be_visible()
    wide = page.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= width
    box, panel = page.locator("#frame").bounding_box(), page.locator(".panel").bounding_box()
    assert box["width"] == box["height"] > 200
    assert box["x"] + box["width"] <= panel["x"] or box["y"] + box["height"] <= panel["y"]


def test_the_board_is_square_beside_a_scroll_bar(page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.add_style_tag(content="body { margin-right: 15px }")  # as wide as the bar that this browser hides
    page.check("#analyse")
    expect(page.locator("#bar")).to_be_visible()
    board, bar = page.locator("#frame").bounding_box(), page.locator("#bar").bounding_box()
    assert board["width"] == board["height"] == bar["height"]
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390


def test_fingers_move_pieces(board):
    gate, opened = board
    context = opened.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    enter(page, gate)
    for square in ("e2", "e4"):
        page.touchscreen.tap(*point(page, square))
    expect(page.locator("#moves .move").first).to_have_text("e4")
    context.close()


# --- other pages --------------------------------------------------------------------------------------

HOSTILE = """<!DOCTYPE html><title>working</title><iframe id="frame" src="{address}"></iframe>
<script>
const tried = [];
const done = (what, worked) => {{ tried.push(what + (worked ? " worked" : " failed"));
  if (tried.length === 5) document.title = tried.sort().join(", "); }};
fetch("{address}").then(() => done("fetch", true), () => done("fetch", false));
fetch("{address}main.js", {{ mode: "no-cors" }})
  .then(() => done("no-cors", true), () => done("no-cors", false));
for (const [name, place] of [["token", "{address}"], ["guess", "{origin}/guess/"]]) {{
  const socket = new WebSocket(place.replace("http", "ws") + "talk");
  socket.onopen = () => done(name, true);
  socket.onerror = () => done(name, false);
}}
const script = document.createElement("script");
script.src = "{address}theme.js";
script.onload = () => done("script", true);
script.onerror = () => done("script", false);
document.body.append(script);
</script>"""


@contextmanager
def other_site(text):
    """A page of another origin; its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as site:
        Thread(target=site.serve_forever).start()
        yield f"http://127.0.0.1:{site.server_port}/"
        site.shutdown()


def test_hostile_page_gets_nothing(board, context):
    """Even with the token, which it cannot know."""
    gate, _ = board
    with other_site(HOSTILE.format(address=gate.address, origin=origin_of(gate))) as address:
        page = context.new_page()
        page.goto(address)
        expect(page).to_have_title("fetch failed, guess failed, no-cors failed, script failed, token failed")
        assert page.frames[1].locator("#board").count() == 0
        page.close()


def test_link_to_the_page_from_elsewhere(board, context):
    gate, _ = board
    with other_site(f'<a href="{gate.address}">a link</a>') as address:
        page = context.new_page()
        page.goto(address)
        page.click("a")
        expect(page.locator("body")).to_contain_text("by hand and not by a link")
        page.close()
