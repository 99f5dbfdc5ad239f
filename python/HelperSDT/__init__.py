# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs a Python program so that tracers can probe its functions: see __main__.py."""
