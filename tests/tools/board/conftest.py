"""A server of the board, and a page that talks with it. Both need the extra [play], which may be missing."""

from contextlib import closing

import pytest


@pytest.fixture(scope="module")
def board(warm_cache):
    from helpers.board import serving

    with serving() as gate:
        yield gate


@pytest.fixture
def page(board):
    from helpers.board import Page

    with closing(Page(board)) as page:
        yield page
