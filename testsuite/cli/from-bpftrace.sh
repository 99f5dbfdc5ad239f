#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# docs/from-bpftrace.md: its ktap columns parse, its session prints what it shows, its examples exist.
. "$SRCDIR/testsuite/lib/sh.sh"
page=$SRCDIR/docs/from-bpftrace.md

# The cells of section $1: "bpftrace<TAB>ktap", of rows with code in both.
rows() { sed -n "/^## $1\$/,/^## /p" "$page" | sed -n 's/^| `\([^`]*\)` | `\([^`]*\)` |$/\1\t\2/p'; }

tab=$(printf '\t')
rows Probes >table
test "$(wc -l <table)" -ge 12 || fail "few probes"
while IFS="$tab" read -r old new; do
	ktap -p1 -e "$new { }"
	accepted
	ktap -p1 -e "$old { }"
	refused syntax
	said "note: write $(printf '%s' "$new" | sed 's/[*.]/\\&/g')\$"
done <table
rows Statements >table
test "$(wc -l <table)" -ge 12 || fail "few statements"
while IFS="$tab" read -r old new; do
	ktap -p1 -e "global hits, bytes, start, stacks probe begin { $new }"
	accepted
done <table

ktap -w -e 'kprobe:vfs_read { @[comm] = count(); }'
refused syntax
sed -n '/^    \$ ktap/,/^$/p' "$page" | sed '1d; /^$/d; s/^    //' | diff - err || fail "the session prints something else"

# Whoever asks for a tool by its name is shown the example.
sed -n '/^## Tools$/,/^## /p' "$page" | sed -n 's/^| \([a-z][a-z0-9, ]*\) | \([a-z, -]*\) |$/\1\t\2/p' | grep -v '^tool of' >table
test "$(wc -l <table)" -ge 45 || fail "few tools"
while IFS="$tab" read -r tools examples; do
	for tool in $(echo "$tools" | tr -d ,); do
		ktap examples "$tool"
		for example in $(echo "$examples" | tr -d ,); do
			printed "^$example "
		done
	done
done <table
