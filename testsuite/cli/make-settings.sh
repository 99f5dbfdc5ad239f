#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# -B hands settings to Kbuild's make, as they are written, and means --kbuild. A module that was built with other settings, or
# without, is no answer. What make is told is recorded; one time it is let run, and embedded C sees the setting. What the user exported for
# another build does not reach it.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

cat >settings.stp <<'END'
%{
#if !defined(FIRST) || FIRST != 7
#error no FIRST
#endif
%}
probe never { }
END
# One kernel is enough: what make does is the same.
R=$(debug_kernels | head -n 1)
test -e "/lib/modules/$R/build" || exit 77
# Of this run alone: the cache has modules of earlier ones.
other=OTHER=$$-$(date +%s)

mkdir -p bin
cat >bin/make <<END
#!/bin/sh
printf '<%s>\n' "\$@" >"$PWD/told"
env >"$PWD/environment"
test -e "$PWD/run" || exit 1
exec $(command -v make) "\$@"
END
chmod +x bin/make
usual=$PATH
build() { limit=300 ktap -r "$R" -g -p4 "$@" settings.stp; }
told() { grep -qxF "<$1>" told || { cat told; fail "make was not told '$1'"; }; }

# The kit has no settings.
limit=300 ktap -r "$R" -p4 -e 'probe never { }'
accepted
touch run
PATH=$PWD/bin:$usual build -B 'KCFLAGS=-DFIRST=7 -DSECOND' -B "$other"
accepted
printed '\.ko$'
built=$(cat out)
told 'KCFLAGS=-DFIRST=7 -DSECOND'
told "$other"
rm run told
# The same again is there already.
PATH=$PWD/bin:$usual build -B 'KCFLAGS=-DFIRST=7 -DSECOND' -B "$other"
test ! -e told || fail "it was built again"
test "$(cat out)" = "$built" || fail "the same settings give another module"
for setting in KCFLAGS=-DFIRST=8 'KCFLAGS=-DFIRST=7 -DTHIRD'; do
	PATH=$PWD/bin:$usual build -B "$setting" -B "$other"
	refused build
	told "$setting"
	rm told
done
PATH=$PWD/bin:$usual build --kbuild
refused build
! grep -q KCFLAGS told || fail "settings of another run"
for name in MAKEFLAGS GNUMAKEFLAGS ARCH CROSS_COMPILE LLVM KCFLAGS KCPPFLAGS KBUILD_EXTRA_SYMBOLS; do
	export $name=of-another-build
done
rm told
PATH=$PWD/bin:$usual build -B "$other" -B AGAIN=1
refused build
told "$other"
! grep of-another-build environment || fail "make is told of another build"
