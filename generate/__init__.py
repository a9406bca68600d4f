"""Worlds and certified instances from a seed."""
