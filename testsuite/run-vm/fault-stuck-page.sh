#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Handlers read a page that never comes: userfaultfd without anyone who serves it, at a function's entry and return, a mark,
# write() of the C library and system calls. Each read is a fault that names its cause. The program that owns the page and
# all others run on; SIGINT ends the session, SIGKILL of ktaprun too, and nothing is left.
. "$SRCDIR/testsuite/lib/process.sh"

limit=900
echo '#include <sys/sdt.h>' | ${CC:-gcc} -E - >/dev/null 2>&1 || { echo "systemtap-sdt-dev is not installed"; exit 77; }
program victim <<'END'
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sdt.h>
#include <sys/syscall.h>
#include <unistd.h>
__attribute__((noipa)) int touch(const char *p) { STAP_PROBE1(victim, mark, p); return 1; }
static char *stuck(void) {
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register r = { .range.len = 4096, .mode = UFFDIO_REGISTER_MODE_MISSING };
	int fd = syscall(SYS_userfaultfd, 0);
	char *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	r.range.start = (unsigned long)p;
	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &r)) { perror("userfaultfd"); return 0; }
	return p;
}
/* victim FILE [stuck]: until FILE is there; FILE.ran or FILE.stuck appears after some rounds. */
int main(int argc, char **argv) {
	const char *p = argc > 2 ? stuck() : "hello";
	char ran[256];
	int null = open("/dev/null", O_WRONLY), rounds = 0;
	snprintf(ran, sizeof(ran), "%s.%s", argv[1], argc > 2 ? "stuck" : "ran");
	if (!p) return 1;
	while (access(argv[1], F_OK)) {
		touch(p);
		if (write(null, p, 8) != 8) return 2;
		if (++rounds == 100) close(open(ran, O_CREAT | O_WRONLY, 0600));
		usleep(1000);
	}
	return rounds < 100;
}
END
script='
global have, absent, told, begun
function look(what, p) {
	try { have[what] += user_string_n(p, 8) == "hello" } catch (message) {
		absent[what]++
		if (message =~ "fault at 0x[0-9a-f]+: the page is absent") told++
		else printf("K %s\n", message)
	}
}
probe process("./victim").begin { begun++ }
probe process("./victim").function("touch") { look("entry", $p) }
probe process("./victim").function("touch").return { look("return", @entry($p)) }
probe process("./victim").mark("mark") { look("mark", $arg1) }
probe process("./victim").syscall { if (syscall_name($syscall) == "write") look("syscall", $arg2) }
probe process("libc.so.6").function("write") { if (execname() == "victim") look("write", pointer_arg(2)) }
probe process("libc.so.6").function("write").return { if (execname() == "victim") look("returned", @entry(pointer_arg(2))) }
probe end, error {
	foreach (what+ in have)
		printf("%s %s\n", what, absent[what] > 10 && have[what] > 10 ? "both" : sprint(have[what], " ", absent[what]))
	printf("%s, %d programs\n", told == 0 ? "none told" : "told", begun)
}'

for release in $(kernels); do
	module stuck -e "$script"
	module ends -e 'probe process("./victim").function("touch") { println(user_string_n($p, 8)) }'
	in_guest_silent <<'END'
ended() { ! kill -0 "$1" 2>/dev/null; }
for how in INT KILL; do
	"$KTAPRUN" kt_stuck.ko >$RESULTS/$how.out 2>$RESULTS/$how.err & session=$!
	until_true in_state kt_stuck running
	./victim /tmp/$how & one=$!
	until_true test -e /tmp/$how.ran
	./victim /tmp/$how stuck & other=$!
	until_true test -e /tmp/$how.stuck
	rm /tmp/$how.ran /tmp/$how.stuck
	./victim /tmp/$how & third=$!
	until_true test -e /tmp/$how.ran
	kill -$how $session
	until_true ended $session
	wait $session; status=$?
	[ $how = INT ] || { "$KTAPRUN" -d kt_stuck; [ $status = 137 ] || echo "killed: $status"; }
	[ $how = KILL ] || [ $status = 0 ] || { echo "status $status"; cat $RESULTS/INT.err; }
	grep -q '^kt_stuck ' /proc/modules && echo "the module is still loaded after SIG$how"
	: >/tmp/$how
	for pid in $one $other $third; do wait $pid || echo "a victim ended badly"; done
done
# A fault that nothing catches ends the session, which says where it was.
"$KTAPRUN" kt_ends.ko >$RESULTS/ends.out 2>$RESULTS/ends.err & session=$!
until_true in_state kt_ends running
./victim /tmp/ends stuck & other=$!
until_true ended $session
: >/tmp/ends
wait $other || [ $? = 1 ] || echo "the victim ended badly"
grep -q '^kt_ends ' /proc/modules && echo "the module is still loaded after an error"
grep -qE 'user string copy fault at 0x[0-9a-f]+: the page is absent' $RESULTS/ends.err &&
	grep -q "in probe process(.*function(.touch" $RESULTS/ends.err || cat $RESULTS/ends.err
:
END
	boot
	silent
	cp results/INT.out out
	expect <<-'EXPECTED'
	entry both
	mark both
	return both
	returned both
	syscall both
	write both
	told, 3 programs
	EXPECTED
done
