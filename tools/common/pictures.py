"""Drawing, where somebody wants a picture."""


def check_picture(path):
    """A ValueError if nothing can be drawn into a file of that name: better told before hours of work."""
    figure, _ = _pyplot().subplots()
    known = figure.canvas.get_supported_filetypes()
    _pyplot().close(figure)
    ending = path.rpartition(".")[2].lower()
    if ending not in known:
        raise ValueError(f"{path}: a picture's name ends in one of {', '.join(sorted(known))}")


def draw_picture(path, paint, rows=1, columns=1, scale=1):
    """Draw into a file: `paint(figure, frames)` does it, the frames one by one."""
    pyplot = _pyplot()
    size = 5 * columns * scale, 3.5 * rows * scale
    figure, frames = pyplot.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False)
    paint(figure, list(frames.flat))
    figure.savefig(path)
    pyplot.close(figure)


def _pyplot():
    try:
        import matplotlib
    except ModuleNotFoundError:
        raise ValueError("drawing needs matplotlib: pip install 'bluekrait[tools]'") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot
