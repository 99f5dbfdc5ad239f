#!/bin/sh
# Each example has a whole header and says what it must print; the table in examples/README.md is made of the headers.
"$SRCDIR/scripts/examples-table" --check
