"""The picture of slider figures: which bars and marks it has, and how they are called."""

import pytest

pytest.importorskip("matplotlib")

from bluekrait.core.sliders.gallery import LIVE
from bluekrait.tools.common.pictures import new_figure
from bluekrait.tools.sliders import slider_plot
from bluekrait.tools.sliders.slider_figures import CPP, GAMES, HERE, RANDOM, SETS, Figure
from bluekrait.tools.sliders.slider_report import ReportError

FIGURES = [
    Figure(RANDOM, LIVE, HERE, 200.4, 1.0),
    Figure(GAMES, LIVE, HERE, 300.0, 1.0),
    Figure(RANDOM, "kogge-stone", HERE, 50.0, 0.25),
    Figure(GAMES, "kogge-stone", HERE, 60.0, 0.2),
    Figure(RANDOM, "kindergarten", HERE, 400.0, 2.0),
    Figure(GAMES, "kindergarten", HERE, 150.0, 0.5),
    Figure(RANDOM, "kindergarten", CPP, 80.0, None),
    Figure(GAMES, "kindergarten", CPP, 100.0, None),
    Figure(GAMES, "kogge-stone", CPP, 70.0, None),
    Figure(SETS, "kogge-stone", HERE, 25.0, 2.5),
]


@pytest.fixture
def draw(monkeypatch):
    """Draws figures; the axes and the size of the picture."""

    def draw(figures):
        picture = new_figure()
        axes = picture.subplots()
        monkeypatch.setattr(slider_plot, "draw_picture", lambda path, paint: paint(picture, [axes]))
        slider_plot.plot(figures, "pext", "figures.svg")
        return axes, tuple(picture.get_size_inches())

    return draw


def names(axes):
    return [label.get_text() for label in axes.get_yticklabels()]


def test_the_fastest_in_games_stands_highest(draw):
    axes, _ = draw(FIGURES)
    assert names(axes) == ["kogge-stone", "kindergarten", "the engine (pext)"]
    assert axes.get_title(loc="left") and "million lookups a second" in axes.get_xlabel()
    games, chance = axes.containers
    assert games.get_label() == "sliders in games"
    assert chance.get_label() == "random squares and occupancies"
    assert [bar.get_width() for bar in games] == [60.0, 150.0, 300.0]
    assert [bar.get_width() for bar in chance] == [50.0, 400.0, 200.4]


def test_the_bars_of_a_technique_share_its_row(draw):
    axes, _ = draw(FIGURES)
    games, chance = axes.containers
    for row, (upper, lower) in enumerate(zip(games, chance)):
        assert lower.get_y() + lower.get_height() == pytest.approx(row)
        assert upper.get_y() == pytest.approx(row)
        assert 0.5 < upper.get_height() + lower.get_height() < 1


def test_each_bar_has_its_number(draw):
    axes, _ = draw(FIGURES)
    assert [text.get_text() for text in axes.texts] == ["60", "150", "300", "50", "400", "200"]
    for text, bar in zip(axes.texts, (bar for bars in axes.containers for bar in bars)):
        assert text.xy == (bar.get_width(), pytest.approx(bar.get_y() + bar.get_height() / 2))


def test_what_was_measured_in_cpp_is_marked(draw):
    axes, _ = draw(FIGURES)
    in_games, by_chance = axes.lines
    assert in_games.get_label() == "the same in C++"
    assert list(in_games.get_xdata()) == [70.0, 100.0] and list(by_chance.get_xdata()) == [80.0]
    bars = [bar.get_y() + bar.get_height() / 2 for bars in axes.containers for bar in bars]
    assert [*in_games.get_ydata(), *by_chance.get_ydata()] == pytest.approx([bars[0], bars[1], bars[4]])
    told = [text.get_text() for text in axes.get_legend().get_texts()]
    assert sorted(told) == ["random squares and occupancies", "sliders in games", "the same in C++"]


def test_without_cpp_nothing_is_marked(draw):
    axes, _ = draw([figure for figure in FIGURES if figure.made_in == HERE])
    assert not axes.lines and len(axes.get_legend().get_texts()) == 2


def test_every_row_has_the_same_room(draw):
    heights = [draw(FIGURES[:count])[1][1] for count in (2, 4, 6)]
    assert heights[2] - heights[1] == pytest.approx(heights[1] - heights[0])
    assert heights[1] > heights[0]


def test_a_technique_without_one_of_its_figures_is_left_out(draw):
    for lacking in (FIGURES[2], FIGURES[3]):
        axes, _ = draw([figure for figure in FIGURES if figure != lacking])
        assert names(axes) == ["kindergarten", "the engine (pext)"]


def test_figures_of_no_technique_draw_nothing(draw):
    with pytest.raises(ReportError, match="there is nothing to draw: no technique was measured"):
        draw([figure for figure in FIGURES if figure.made_in == CPP or figure.section == SETS])
