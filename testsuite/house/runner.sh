#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The runner itself: a test that must fail does fail, with the reason, and nothing else does.
# ktap is a script here that does what the comments `# out:`, `# err:`, `# exit:` of the test file say.
set -e
mkdir -p suite/sema suite/parse suite/run-vm suite/sh build

cat >build/ktap <<'END'
#!/bin/sh
for file; do :; done
case " $* " in *" -p4 "*)
	name=$(echo " $* " | sed 's/.* -m \([^ ]*\).*/\1/')
	sed -n 's/^# build-err: //p' "$file" | sed 's, *//!.*,,' >&2
	test -z "$(sed -n 's/^# build-err: //p' "$file")" || exit 1
	cp "$file" "$name.ko"
	exit 0;;
esac
sed -n 's/^# out: //p' "$file"
sed -n 's/^# err: //p' "$file" | sed 's, *//!.*,,' >&2
exit $(sed -n 's/^# exit: //p' "$file")
END
# The "VM" runs the command here; `# crash` ends it in the middle, as a kernel panic would.
cat >build/ktap-vm <<'END'
#!/bin/sh
while test "$1" != --; do shift; done
shift
exec "$@"
END
cat >build/ktaprun <<'END'
#!/bin/sh
for file; do :; done
grep -q '^# crash' "$file" && { echo "Kernel panic" >&2; kill -9 $PPID; exit; }
sed -n 's/^# out: //p' "$file"
sed -n 's/^# err: //p' "$file" | sed 's, *//!.*,,' >&2
exit $(sed -n 's/^# exit: //p' "$file")
END
chmod +x build/ktap build/ktap-vm build/ktaprun

test_file()
{
	printf '%s\n' "$2" >"suite/$1"
}
E='# err: %s:1:3: error: no such name [undef-global]'

test_file sema/good.stp '# out: a line
//! stdout: a line'
test_file sema/good-error.stp "$(printf "$E" good-error.stp) //! error: undef-global
# exit: 1"
test_file sema/bad-line.stp "$(printf "$E" bad-line.stp)
# exit: 1
//! error: undef-global"
test_file sema/bad-tag.stp "$(printf "$E" bad-tag.stp) //! error: type
# exit: 1"
test_file sema/bad-unexpected.stp "$(printf "$E" bad-unexpected.stp)
# exit: 1
//! exit: 1"
test_file sema/bad-missing.stp '# exit: 1
# nothing is printed //! error: type'
test_file sema/bad-exit.stp '# exit: 3'
test_file sema/bad-stdout.stp '# out: two
//! stdout: one'
test_file sema/bad-match.stp '# out: two
//! match: ^one'
test_file sema/bad-directive.stp '//! sdtout: one'
test_file parse/bad-round-trip.stp '# out: not printed again'
test_file sh/good.sh 'exit 0'
test_file sh/skip.sh 'echo no such thing here; exit 77'
test_file sh/bad.sh 'echo why; exit 1'
test_file sh/bad-complaint.sh 'echo "[ 1.0] WARNING: suspicious RCU usage" >>"$KTAP_VM_CONSOLE"'

test_run()
{
	"$SRCDIR/testsuite/run" --root=suite --builddir=build "$@" >out 2>&1 || true
}

test_run sema parse sh
cat out
tail -n 1 out | grep -qx '3 passed, 11 failed, 1 skipped'
test "$(grep '^not ok' out | grep -vc '/bad')" = 0
grep -q 'expected error \[type\] at line 1, not printed' out
grep -q '^    # - one' out && grep -q '^    # + two' out
grep -q "unknown directive 'sdtout'" out
grep -q '| \[ 1.0\] WARNING: suspicious RCU usage' out

echo "--- a second run in a build directory, whose tests would be in the way of the first"
refused()
{
	cat out
	grep -qx "$1: another run uses $PWD/build" out
}
mkdir -p build/testsuite/storm-work
flock build/testsuite/work.lock "$SRCDIR/testsuite/run" --builddir=build house/lint >out 2>&1 || :
refused testsuite/run
flock build/testsuite/storm-work.lock "$SRCDIR/testsuite/storm/run" -b build -k none >out 2>&1 || :
refused storm/run

echo "--- what a debug kernel lacks, and only that is asked"
lacks=$(perl -I "$SRCDIR/testsuite/lib" -MVm -e 'no warnings; *Vm::config_of = sub { "CONFIG_A=y\nCONFIG_B=m\nCONFIG_X86_64=y\n" };
	print join(" ", map { Vm::lacks($_, qw(A B B=m A=m !A C !C A=m|A !A|C)) } qw(6.1.1-ktaplock 6.1.0-1-cloud-amd64 6.1.0-1-rt-amd64))')
test "$lacks" = 'A=m !A C !A|C'
lacks=$(perl -I "$SRCDIR/testsuite/lib" -MVm -e 'no warnings; *Vm::config_of = sub { $_[0] =~ /arm64/ ? "" : "CONFIG_X86_64=y\n" };
	print map { Vm::lacks_text($_, "X86_64", "A") } qw(6.12.1-cloud-arm64 6.1.0-1-cloud-amd64)')
test "$lacks" = '6.12.1-cloud-arm64 is configured without: X86_64 A'

echo "--- on which kernels"
# on KERNELS TEXT TURN...: the shell test that says TEXT runs, at these turns, on those of four.
on()
{
	kernels=$1
	printf '%s\n' "$2" >which.sh
	shift 2
	which=$(for turn; do
		env -u KTAP_TEST_KERNELS KTAP_TEST_TURN="$turn" perl -I "$SRCDIR/testsuite/lib" -MVm -e 'no warnings;
			*Vm::all_kernels = sub { qw(6.1.0-1-cloud 6.1.0-1-rt-amd64 6.12.1-cloud 6.12.1-rt-amd64) };
			print join(" ", map { Vm::short_name($_) } Vm::kernels("which.sh")), "\n"'
	done | sort | xargs)
	test "$which" = "$kernels"
}
on '6.1 6.12' '' 0 1
on '6.1 6.1-rt 6.12 6.12-rt' '#! also-on: rt' 0 1 2 3
on '6.1 6.1 6.12 6.12' '#! also-on: nothing' 4 5 6 7
on '6.1 6.12' '#! kernels: all' 3
on '6.1 6.1-rt 6.12' '#! kernels: all
#! also-on: 6.1-rt' 0

echo "--- in the VM"
test -n "$(ls /lib/modules 2>/dev/null)" || exit 0
test_file run-vm/1-good.stp '# out: from the module
//! stdout: from the module'
test_file run-vm/2-bad-crash.stp '# crash'
test_file run-vm/3-good-after.stp '# out: more
//! match: more'
test_file run-vm/4-bad-exit.stp '# exit: 5'
test_file run-vm/5-good-error.stp '# build-err: 5-good-error.stp:1:1: error: x [type] //! error: type'
unset KTAP_TEST_KERNELS
test "$(perl -I "$SRCDIR/testsuite/lib" -MVm -e 'print scalar Vm::kernels()')" -gt 0 || exit 0
test_run run-vm
cat out
tail -n 1 out | grep -qx '3 passed, 2 failed'
test "$(grep '^not ok' out | grep -vc '/[24]-bad')" = 0
grep -q 'the VM ended during this test' out
