"""A match on one page: figures, curves, crosstable and the games that were lost."""

from bluekrait.tools.report.writing import write_plot, write_report

__all__ = ["write_plot", "write_report"]
