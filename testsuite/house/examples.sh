#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each example has a whole header and says what it must print; the table in examples/README.md is made of the headers.
"$SRCDIR/scripts/examples-table" --check
