"""The plots of the report, as SVG."""
