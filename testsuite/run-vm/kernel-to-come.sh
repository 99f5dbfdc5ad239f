#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel that keeps what the kit reads in forms that no question knows: its headers have other names for them. The kit builds all the same,
# probes count what the program does, and what cannot be read is an error or a warning, not a wrong answer.
. "$SRCDIR/testsuite/lib/process.sh"
test "$(id -u)" = 0 || { echo "only root can mount"; exit 77; }
test -n "${HEADERS_ARE_PRIVATE:-}" || HEADERS_ARE_PRIVATE=1 exec unshare -m sh "$0"

# rename FILE FROM TO: in the header of $release, as this test alone sees it.
rename()
{
	header=$(readlink -f "/lib/modules/$release/source/include/$1")
	grep -q "\<$2" "$header" || return 0
	copy=$work/$(echo "$release-$1" | tr / _)
	sed "s/\<$2/$3/g" "$header" >"$copy.new"
	mv "$copy.new" "$copy"
	mount --bind "$copy" "$header" || fail "cannot mount on $header"
}

program works <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
static volatile int sink;
__attribute__((noipa)) void leaf(const char *untouched) { sink += !untouched; }
__attribute__((noipa)) void outer(const char *untouched) { leaf(untouched); sink++; }
int main(void)
{
	char bytes[4096] = "in the page cache";
	int fd = open("file", O_RDWR | O_CREAT, 0600), s = socket(AF_UNIX, SOCK_DGRAM, 0), one = 1;
	write(fd, bytes, sizeof(bytes));
	dup2(s, 20);
	setsockopt(20, SOL_SOCKET, SO_PASSCRED, &one, sizeof(one));
	for (int i = 0; i < 7; i++)
		syscall(SYS_getppid);
	for (int i = 0; i < 3; i++)
		outer(mmap(0, 4096, PROT_READ, MAP_PRIVATE, fd, 0));
	return 0;
}
END
cat >works.stp <<'END'
%{
#include <net/sock.h>
%}
function passcred:long (fd:long) %{
	int value = -1, len = sizeof(value), err = -1;
	struct file *file;

	rcu_read_lock();
	file = fcheck_files(current->files, STAP_ARG_fd);
	if (file)
		err = kernel_getsockopt(SOCKET_I(file_inode(file)), SOL_SOCKET, SO_PASSCRED, (char *)&value, &len);
	rcu_read_unlock();
	STAP_RETVALUE = err ? err : value;
%}
global calls, returns, kernel_calls, kernel_returns
probe process("./works").function("leaf") {
	if (calls++)
		next
	println(ubacktrace_folded())
	println("SO_PASSCRED ", passcred(20))
	try { println(user_string($untouched)) } catch (e) { println("caught: ", e) }
}
probe process("./works").function("leaf").return { returns++ }
probe kernel.function("__do_sys_getppid") { if (pid() == target()) kernel_calls++ }
probe kernel.function("__do_sys_getppid").return { if (pid() == target()) kernel_returns++ }
probe end { printf("program %d %d, kernel %d %d\n", calls, returns, kernel_calls, kernel_returns) }
END

KTAP_CACHE_DIR=$work/cache
export KTAP_CACHE_DIR
mkdir -m 700 "$KTAP_CACHE_DIR"
for release in $(kernels); do
	rename linux/uprobes.h return_instances returning
	rename linux/sched.h rethooks hooked_returns
	rename linux/mm_types.h 'owner;' 'proprietor;'
	rename linux/memcontrol.h 'mm->owner' 'mm->proprietor'
	rename linux/module.h tracepoints_ptrs references
	rename linux/net.h SOCK_PASSCRED SOCK_CREDENTIALS
	rename net/scm.h SOCK_PASSCRED SOCK_CREDENTIALS
	rename net/sock.h sk_scm_credentials sk_credentials
	rename linux/pagemap.h folio_file_page folio_page_of
	session works -g -d ./works -c ./works works.stp
	in_guest 'modprobe sunrpc'
	session module -e 'probe kernel.trace("rpc_task_begin") { } probe timer.ms(100) { exit() }'
	for question in FOLIO_FILE_PAGE MM_OWNER MODULE_TRACEPOINTS RETHOOKS RETURN_INSTANCES SOCKET_PASSCRED SOCK_SCM_CREDENTIALS; do
		grep -qx "#define KCONF_$question 0" "$KTAP_CACHE_DIR/kit/$release"-*/kconf.h || fail "the kernel to come answers $question"
	done
	grep -qx "#define KCONF_TASK_STATE 1" "$KTAP_CACHE_DIR/kit/$release"-*/kconf.h || fail "the headers of the kernel to come are broken"
	boot
	result works
	accepted
	printed '^program 3 3, kernel 7 7$'
	printed 'main;outer;leaf'
	printed '^SO_PASSCRED -92$'
	printed '^caught: .*page'
	said 'WARNING: stacks of programs end at a function whose return is probed: this kernel keeps such calls in a form'
	result module
	said 'probe kernel.trace("rpc_task_begin") registration error .* keeps tracepoints of modules in a form'
done
