#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The kit is made by one run of make. Where that run leaves no answers about the kernel, each question is asked alone; where files
# do not compile with flags of ours, they get the kernel's.
set -eu
. "$SRCDIR/testsuite/lib/sh.sh"
a_kernel
KTAP_CACHE_DIR=$PWD/cache
export KTAP_CACHE_DIR
mkdir -m 700 cache

# Says what it is asked for, answers all questions but two, and refuses to build modules.
mkdir bin
cat >bin/make <<END
#!/bin/sh
case "\$*" in
*/kconf\ *)
	dir=\$(printf '%s\n' "\$@" | sed -n 's/^M=//p')
	echo questions >>"$PWD/told"
	for q in "\$dir"/*.c; do
		case \$q in */control_no.c | */ftrace_regs.c) ;; *) : >"\${q%c}o" ;; esac
	done
	exit 2 ;;
*KT_PLAIN=1*)
	echo plain >>"$PWD/told"
	echo "hit.c:1: error: planted" ;;
*)
	echo modules >>"$PWD/told"
	echo "make[2]: *** [x/Makefile.build:1: x/rest.o] Error 1" ;;
esac
exit 2
END
chmod +x bin/make
PATH=$PWD/bin:$PATH ktap -r "$R" -p4 -e 'probe never { }'
test "$status" = 1 || fail "exit status $status"
said 'error: the kit for kernel .* does not build \[build\]$'
said 'hit.c:1: error: planted'
test "$(tr '\n' ' ' <told)" = "modules plain questions modules plain " || fail "make was asked for: $(cat told)"
cat cache/kit/*/kconf.h >out
for answer in 'CONTROL_NO 0' 'CONTROL_YES 1' 'FTRACE_REGS 0' 'MODULE_SYMBOLS 1'; do
	printed "^#define KCONF_$answer\$"
done
