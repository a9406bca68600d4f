"""The version of the project."""

VERSION = "1.0.0"
