"""The version of the project."""

VERSION = "1.1.0"
