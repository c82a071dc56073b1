"""A report about a match on one HTML page: figures, curves, crosstable and the lost games."""

from bluekrait.tools.report.writing import write_plot, write_report

__all__ = ["write_plot", "write_report"]
