"""Generates worlds and certified instances from a seed."""
