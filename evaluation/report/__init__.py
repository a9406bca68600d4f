"""The report of one or more runs: one HTML file that needs no network and runs nothing but its own script."""
