#!/bin/sh
# The C of every language test compiles under the kernel's flags without a warning, and objtool has nothing to say.
# The flags are those of linux-headers 6.1 and 6.12 (x86-64, Debian), with the warnings of both.
set -u
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
failed=0

# Embedded C is the script's, and needs the kernel's headers.
for test in "$SRCDIR"/testsuite/run-user/*.stp; do
	name=$(basename "$test" .stp)
	limits=$(sed -n 's|^//! options:.*\(-DMAX[A-Z]*=[0-9]*\).*|\1|p' "$test")
	case $name in embedded*) continue ;; esac
	eval set -- $(sed -n 's|^//! args: ||p' "$test")
	if ! "$KTAP" -p3 -w -g $limits "$test" "$@" >"$name.c" 2>"$name.log"; then
		echo "$name: pass 3 failed"; cat "$name.log"; failed=1
		continue
	fi
	if ! gcc $flags -Werror -I"$SRCDIR" -c "$name.c" -o "$name.o" 2>"$name.log"; then
		echo "$name: gcc"; cat "$name.log"; failed=1
		continue
	fi
	[ -n "$objtool" ] || continue
	"$objtool" --hacks=jump_label --hacks=noinstr --orc --retpoline --rethunk --sls --static-call --uaccess \
		--module "$name.o" >"$name.log" 2>&1
	if [ -s "$name.log" ]; then
		echo "$name: objtool"; cat "$name.log"; failed=1
	fi
done
exit $failed
