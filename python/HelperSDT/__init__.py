"""Runs a Python program so that tracers can probe its functions: see __main__.py."""
