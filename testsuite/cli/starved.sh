#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A build that lacks room, memory or another resource says so, leaves nothing, is no fault of ktap, and does well when it is run again.
. "$SRCDIR/testsuite/lib/sh.sh"
a_kernel
KTAP_CACHE_DIR=$PWD/cache
export KTAP_CACHE_DIR
mkdir -m 700 cache

# What the tools say in each mode: room, no answers and then memory, or as they are.
mkdir bin
cat >bin/make <<END
#!/bin/sh
case \$(cat "$PWD/mode") in
room) echo "/tmp/cc1.s: Fatal error: rest.o: No space left on device" ;;
memory)
	case "\$*" in
	*/kconf\ *)
		dir=\$(printf '%s\n' "\$@" | sed -n 's/^M=//p')
		for q in "\$dir"/*.c; do
			case \$q in */control_no.c | */ftrace_regs.c) ;; *) : >"\${q%c}o" ;; esac
		done
		echo "gcc-12: fatal error: Killed signal terminated program cc1" ;;
	esac ;;
real) exec $(command -v make) "\$@" ;;
esac
exit 2
END
chmod +x bin/make
PATH=$PWD/bin:$PATH
export PATH
# starved MODE WORDS: the kit cannot be built now, and nothing of it stays.
starved()
{
	echo "$1" >mode
	ktap -r "$R" -p4 -e 'probe never { }'
	refused build
	said "error: the kit for kernel $R cannot be built now: $2 \\[build\\]"
	! grep -q 'fault of ktap\|as before' err || fail "it is called a fault: $(cat err)"
	test -z "$(ls cache/kit)" || fail "left: $(find cache/kit)"
}
starved room 'No space left on device'
said "note: make room in $PWD/cache/kit/.* and /tmp, or name others with KTAP_CACHE_DIR and TMPDIR"
starved memory 'Killed signal terminated program'
said 'note: the compiler needs some hundred megabytes'
echo real >mode
ktap -r "$R" -p4 -e 'probe never { }'
accepted

# The script's own module and program, by the compiler.
cat >bin/gcc <<'END'
#!/bin/sh
echo "cc1: out of memory allocating 65536 bytes after a total of 1 bytes" >&2
exit 1
END
chmod +x bin/gcc
ktap --runtime=user -e 'probe begin { exit() }'
refused build
said "error: the script's program cannot be built now: out of memory allocating"
rm bin/gcc
echo room >mode
ktap -r "$R" -p4 --kbuild -e 'probe begin { exit() }'
refused build
said 'error: the module cannot be built now: No space left on device'
test -z "$(ls cache/work)" || fail "left: $(find cache/work)"
