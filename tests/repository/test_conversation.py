"""One conversation, as a GUI leads it: the shortest proof that the engine plays."""


def test_engine_says_who_it_is_and_moves(talk):
    gui = talk()
    gui.say("uci")
    assert any(line.startswith("id name BlueKrait") for line in gui.hear("^uciok$"))
    gui.say("isready")
    assert gui.hear("^readyok$")
    gui.say("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "go depth 5")
    *_, info, move = gui.hear("^bestmove")
    assert "score mate 1" in info
    assert move.split()[:2] == ["bestmove", "a1a8"]
    gui.say("quit")
    assert gui.process.wait(timeout=60) == 0
