# Sourced by tests of probes in programs: they compile a program whose behaviour is known and probe it in the VM.
# shellcheck shell=sh
. "$SRCDIR/testsuite/lib/sh.sh"

need_kernel
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
limit=240

# program NAME [FLAG...]: compiles stdin to ./NAME.
program()
{
	name=$1
	shift
	cat >"$name.c"
	${CC:-gcc} -g -O2 "$@" -o "$name" "$name.c" || fail "cannot compile $name.c"
}

# in_vm ARGUMENT...: runs ktap on $release; the session must end well and say nothing unexpected.
in_vm()
{
	ktap --vm="$release" "$@"
	accepted
	! grep -E 'BUG:|Oops|Call Trace|error: ' err out || fail "on $release"
}

# expect: stdout is the text on stdin.
expect()
{
	cat >expected
	cmp -s expected out || { diff expected out | head -n 40; fail "stdout differs on $release"; }
}
