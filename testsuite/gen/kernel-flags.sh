#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The C of every test that gets to pass 3, in run-user, run-vm and sema, compiles under the kernel's flags without a warning, and objtool has
# nothing to say. The flags are those of linux-headers 6.1 and 6.12 (x86-64, Debian), with the warnings of both. Where both kernels are
# tested the runner compiles run-vm for each and takes no warning either (Vm.pm): those are left out here.
set -u
. "$SRCDIR/testsuite/lib/sh.sh"
flags="-nostdinc -std=gnu11 -O2 -Wall -Wextra -Wundef -Werror=strict-prototypes -Wno-trigraphs -fno-strict-aliasing
	-fno-common -fshort-wchar -fno-PIE -Werror=implicit-function-declaration -Werror=implicit-int
	-Werror=return-type -Wno-format-security -mno-sse -mno-mmx -mno-sse2 -mno-3dnow -mno-avx
	-fcf-protection=branch -fno-jump-tables -m64 -falign-jumps=1 -falign-loops=1 -mno-80387
	-mno-fp-ret-in-387 -mpreferred-stack-boundary=3 -mskip-rax-setup -mno-red-zone -mcmodel=kernel
	-fno-asynchronous-unwind-tables -mindirect-branch=thunk-extern -mindirect-branch-register
	-mindirect-branch-cs-prefix -mfunction-return=thunk-extern -mharden-sls=all
	-fno-delete-null-pointer-checks -Wframe-larger-than=2048 -fstack-protector-strong
	-ftrivial-auto-var-init=zero -fno-stack-clash-protection -Wdeclaration-after-statement -Wvla
	-Wno-pointer-sign -Wcast-function-type -Wimplicit-fallthrough=5 -fno-strict-overflow -fno-stack-check
	-fconserve-stack -Werror=date-time -Werror=incompatible-pointer-types -Werror=designated-init
	-Wno-unused-parameter -Wno-sign-compare -Wmissing-prototypes -g0"
objtool=$(ls /usr/lib/linux-kbuild-6.1/tools/objtool/objtool 2>/dev/null)
# Probes of the kernel need its debugging information: the newest 6.1 that is no rt kernel.
release=$(ls /lib/modules | grep '^6\.1\..*cloud' | tail -n 1)
failed=0 compiled=0

# What pass 3 makes of the test $1, with the options that follow; 1: it is not to get there, or was reported.
generate()
{
	test=$1 name=$(basename "$(dirname "$test")")-$(basename "$test" .stp)
	shift
	grep -q '^//! needs\|//! error' "$test" && return 1
	options=$(sed -n 's|^//! options: ||p' "$test" | tr '\n' ' ')
	case " $options" in *" -p"*) options= ;; esac
	eval set -- "$options" '"$@"' '"$test"' $(sed -n 's|^//! args: ||p' "$test")
	if "$KTAP" -p3 -w -g "$@" >"$name.c" 2>"$name.log"; then
		# Embedded C is the script's, and needs the kernel's headers.
		! grep -q '#include.*embedded\.h' "$name.c"
		return
	fi
	# Pass 2 may have left nothing to run.
	grep -q '\[no-probes\]' "$name.log" && return 1
	echo "$name: pass 3 failed"; cat "$name.log"; failed=1
	return 1
}

check()
{
	compiled=$((compiled + 1))
	if ! gcc $flags -Werror -I"$SRCDIR" -c "$name.c" -o "$name.o" 2>"$name.log"; then
		echo "$name: gcc"; cat "$name.log"; failed=1
		return
	fi
	[ -n "$objtool" ] || return
	"$objtool" --hacks=jump_label --hacks=noinstr --orc --retpoline --rethunk --sls --static-call --uaccess \
		--module "$name.o" >"$name.log" 2>&1
	if [ -s "$name.log" ]; then
		echo "$name: objtool"; cat "$name.log"; failed=1
	fi
}

for test in "$SRCDIR"/testsuite/run-user/*.stp; do
	generate "$test" && check
done
case $(kernels) in
*6.1.*6.12.*) set -- "$SRCDIR"/testsuite/sema/*.stp ;;
*) set -- "$SRCDIR"/testsuite/run-vm/*.stp "$SRCDIR"/testsuite/sema/*.stp ;;
esac
for test; do
	[ -n "$release" ] || break
	generate "$test" -r "$release" && check
done
echo "$compiled files"
[ $compiled -ge 200 ] || { echo "too few"; failed=1; }
exit $failed
