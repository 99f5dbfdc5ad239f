#!/bin/sh
# The lint finds a kit function that the tapset declares otherwise than runtime/kit/fn.h.
set -eu
mkdir -p tree/scripts tree/testsuite tree/runtime/kit tree/runtime/core
cp "$SRCDIR/scripts/lint" tree/scripts
cp -r "$SRCDIR/testsuite/lib" tree/testsuite
cp -r "$SRCDIR/tapset" tree
cp "$SRCDIR/runtime/kit/fn.h" tree/runtime/kit
cp "$SRCDIR"/runtime/core/*.h tree/runtime/core

# found TEXT: the lint of the tree says that, and nothing else, of kit functions; TEXT empty: it says nothing.
found()
{
	perl tree/scripts/lint 2>&1 | grep '\[kit-function\]' >found || true
	test "$(grep -c . found)" = "${1:+1}" || test -z "$1$(cat found)" || { cat found; exit 1; }
	grep -q -e "$1" found || test -z "$1" || { echo "'$1' is not found:"; cat found; exit 1; }
}

# plant FILE SED TEXT: with that change the lint says TEXT.
plant()
{
	cp "tree/$1" kept
	sed -i "$2" "tree/$1"
	! cmp -s kept "tree/$1" || { echo "nothing planted in $1"; exit 1; }
	found "$3"
	mv kept "tree/$1"
}

found ''
raise=$(grep -l '^function raise ' tree/tapset/*.stp tree/tapset/*/*.stp 2>/dev/null | sed 's,^tree/,,')
plant runtime/kit/fn.h 's/kt_fn_raise(struct kt_ctx \*c, kt_s64 /kt_fn_raise(struct kt_ctx *c, kt_u32 /' 'kt_fn_raise is void(struct kt_ctx \*, kt_u32) here'
plant runtime/kit/fn.h '/kt_fn_raise/d' 'no header of the kit declares kt_fn_raise'
plant runtime/kit/fn.h 's/^void kt_fn_raise.*/&\nvoid kt_fn_nosuch(struct kt_ctx *c);/' 'declares kt_fn_nosuch'
plant "$raise" 's/^function raise (signo:long)/function raise (signo:string)/' 'const char \*'
plant "$raise" 's/^function raise (signo:long)/function raise:long (signo:long)/' 'kt_s64(struct kt_ctx \*, kt_s64)'
plant "$raise" 's/^function raise (signo:long)/function raise (signo)/' "parameter 'signo'"
found ''
