#!/bin/sh
# A function of the core or the kit that the tapset declares otherwise is found: by the lint, or by the compiler, which sees runtime/fn.h.
set -eu
mkdir -p tree/scripts tree/testsuite tree/runtime/core
cp "$SRCDIR/scripts/lint" tree/scripts
cp -r "$SRCDIR/testsuite/lib" tree/testsuite
cp -r "$SRCDIR/tapset" tree
cp "$SRCDIR"/runtime/core/*.h tree/runtime/core

# found TEXT: the lint of the tree says that, and nothing else, of kit functions; TEXT empty: it says nothing.
found()
{
	perl tree/scripts/lint 2>&1 | grep '\[kit-function\]' >found || true
	test "$(grep -c . found)" = "${1:+1}" || test -z "$1$(cat found)" || { cat found; exit 1; }
	grep -q -e "$1" found || test -z "$1" || { echo "'$1' is not found:"; cat found; exit 1; }
}

# plant FILE SED COMMAND TEXT: with that change COMMAND TEXT succeeds.
plant()
{
	cp "tree/$1" kept
	sed -i "$2" "tree/$1"
	! cmp -s kept "tree/$1" || { echo "nothing planted in $1"; exit 1; }
	"$3" "$4"
	mv kept "tree/$1"
}

# declared TEXT: runtime/fn.h has that prototype of raise().
declared()
{
	perl tree/tapset/prototypes.pl tree/tapset/*/*.stp >fn.h
	grep -qxF "$1" fn.h || { echo "'$1' is not declared:"; grep kt_fn_raise fn.h; exit 1; }
}

found ''
raise=$(grep -l '^function raise ' tree/tapset/*/*.stp | sed 's,^tree/,,')
core=runtime/core/fp.h
plant $core 's/kt_fn_fp_sqrt(struct kt_ctx \*c, kt_s64 /kt_fn_fp_sqrt(struct kt_ctx *c, kt_u32 /' found "'kt_s64 kt_fn_fp_sqrt(struct kt_ctx \*, kt_u32);' here"
plant $core 's/^kt_s64 kt_fn_fp_sqrt.*/&\nvoid kt_fn_nosuch(struct kt_ctx *c);/' found 'declares kt_fn_nosuch'
declared 'void kt_fn_raise(struct kt_ctx *, kt_s64);'
plant "$raise" 's/^function raise (signo:long)/function raise (signo:string)/' declared 'void kt_fn_raise(struct kt_ctx *, const char *);'
plant "$raise" 's/^function raise (signo:long)/function raise:long (signo:long)/' declared 'kt_s64 kt_fn_raise(struct kt_ctx *, kt_s64);'
plant "$raise" 's/^function raise (signo:long)/function raise (signo)/' found "parameter 'signo'"
found ''
