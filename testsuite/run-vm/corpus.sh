#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Scripts in the style of those that people have, each against a program that does the same each time: testsuite/lib/corpus.
# The first line of a script is "//# PROGRAM [ARGUMENT] [OPTION]", the lines "//= TEXT" are what it prints.
. "$SRCDIR/testsuite/lib/process.sh"

corpus=$SRCDIR/testsuite/lib/corpus
flags='-g -O2 -fno-optimize-sibling-calls'
# shellcheck disable=SC2086
${CC:-gcc} $flags -o ngx "$corpus/ngx_main.c" "$corpus/ngx_http.c" && ${CC:-gcc} $flags -o lj "$corpus/lj.c" ||
	fail "cannot compile the programs"
# Assembler of x86: its script is left out elsewhere.
scripts=$(echo "$corpus"/${CORPUS:-*}.stp)
if test "$machine" = x86_64; then
	${CC:-gcc} -o shop "$corpus/shop_main.c" "$corpus/shop.s" || fail "cannot compile shop"
else
	# shellcheck disable=SC2086
	scripts=$(grep -L '^//# shop' $scripts)
fi
for release in $(kernels); do
	for script in $scripts; do
		name=$(basename "$script" .stp | tr - _)
		head=$(sed -n '1s|^//# ||p' "$script")
		command=${head% -g} guru=
		test "$command" = "$head" || guru=-g
		# shellcheck disable=SC2086
		session "c$name" $guru -c "./$command" "$script" "./${command%% *}"
	done
	boot
	wrong=
	for script in $scripts; do
		name=$(basename "$script" .stp)
		sed -n 's|^//= ||p' "$script" >want
		(result "c$(echo "$name" | tr - _)" && expect <want) >said 2>&1 || {
			wrong="$wrong $name"
			echo "== $name"
			cat said
		}
	done
	test -z "$wrong" || fail "on $release:$wrong"
	test "${CORPUS:-}" || test "$(ls "$corpus"/*.stp | wc -l)" = 41 || fail "not 41 scripts"
done
