/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's functions of system calls: __x64_sys_read, __arm64_sys_read, and those of 32-bit programs, __ia32_sys_read or, where
 * the call has a function for them alone, __ia32_compat_sys_read. The kernel's System.map has their
 * addresses. As the kernel moves when it boots, they are given as distances from a function that modules can call.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/rows.h"
#include "lib/vec.h"
#include "translator/probe/syscall-names.h"

/* Where the function has not the call's name. */
struct odd_name {
	int number; /* of the ABI; -1: by the name of the call */
	const char *call, *function;
};

static const struct odd_name native_names[] = {
	{ -1, "stat", "newstat" }, { -1, "fstat", "newfstat" }, { -1, "lstat", "newlstat" }, { -1, "fstatat", "newfstatat" },
	{ -1, "pread", "pread64" }, { -1, "pwrite", "pwrite64" }, { -1, "sendfile", "sendfile64" }, { -1, "uname", "newuname" },
	{ 217, "getdents", "getdents64" }, { 61, "getdents", "getdents64" },
};

static const struct odd_name compat_names[] = {
	{ 13, "time", "time32" }, { 18, "stat", "stat" }, { 22, "umount", "oldumount" }, { 23, "setuid", "setuid16" },
	{ 24, "getuid", "getuid16" }, { 25, "stime", "stime32" }, { 28, "fstat", "fstat" }, { 30, "utime", "utime32" },
	{ 46, "setgid", "setgid16" }, { 47, "getgid", "getgid16" }, { 49, "geteuid", "geteuid16" }, { 50, "getegid", "getegid16" },
	{ 59, "oldolduname", "olduname" }, { 76, "getrlimit", "old_getrlimit" }, { 80, "getgroups", "getgroups16" },
	{ 81, "setgroups", "setgroups16" }, { 82, "select", "old_select" }, { 84, "lstat", "lstat" }, { 89, "readdir", "old_readdir" },
	{ 90, "mmap", "ia32_mmap" }, { 106, "stat", "newstat" }, { 107, "lstat", "newlstat" }, { 108, "fstat", "newfstat" },
	{ 109, "olduname", "uname" }, { 120, "clone", "ia32_clone" }, { 122, "uname", "newuname" }, { 124, "adjtimex", "adjtimex_time32" },
	{ 138, "setfsuid", "setfsuid16" }, { 139, "setfsgid", "setfsgid16" },
	{ 161, "sched_rr_get_interval", "sched_rr_get_interval_time32" }, { 162, "nanosleep", "nanosleep_time32" },
	{ 165, "getresuid", "getresuid16" }, { 171, "getresgid", "getresgid16" },
	{ 177, "rt_sigtimedwait", "rt_sigtimedwait_time32" }, { 180, "pread", "ia32_pread64" }, { 181, "pwrite", "ia32_pwrite64" },
	{ 192, "mmap2", "mmap_pgoff" }, { 193, "truncate", "ia32_truncate64" }, { 194, "ftruncate", "ia32_ftruncate64" },
	{ 195, "stat", "ia32_stat64" }, { 196, "lstat", "ia32_lstat64" }, { 197, "fstat", "ia32_fstat64" }, { 220, "getdents", "getdents64" },
	{ 221, "fcntl", "fcntl64" }, { 225, "readahead", "ia32_readahead" }, { 239, "sendfile", "sendfile64" },
	{ 240, "futex", "futex_time32" }, { 247, "io_getevents", "io_getevents_time32" }, { 250, "fadvise64", "ia32_fadvise64" },
	{ 260, "timer_settime", "timer_settime32" }, { 261, "timer_gettime", "timer_gettime32" },
	{ 264, "clock_settime", "clock_settime32" }, { 265, "clock_gettime", "clock_gettime32" },
	{ 266, "clock_getres", "clock_getres_time32" }, { 267, "clock_nanosleep", "clock_nanosleep_time32" },
	{ 271, "utimes", "utimes_time32" }, { 272, "fadvise64", "ia32_fadvise64_64" }, { 279, "mq_timedsend", "mq_timedsend_time32" },
	{ 280, "mq_timedreceive", "mq_timedreceive_time32" }, { 299, "futimesat", "futimesat_time32" },
	{ 300, "fstatat", "ia32_fstatat64" }, { 308, "pselect6", "pselect6_time32" }, { 309, "ppoll", "ppoll_time32" },
	{ 314, "sync_file_range", "ia32_sync_file_range" }, { 320, "utimensat", "utimensat_time32" },
	{ 324, "fallocate", "ia32_fallocate" }, { 325, "timerfd_settime", "timerfd_settime32" },
	{ 326, "timerfd_gettime", "timerfd_gettime32" }, { 337, "recvmmsg", "recvmmsg_time32" },
	{ 343, "clock_adjtime", "clock_adjtime32" }, { 413, "pselect6", "pselect6_time64" }, { 414, "ppoll", "ppoll_time64" },
	{ 416, "io_pgetevents", "io_pgetevents_time64" }, { 417, "recvmmsg", "recvmmsg_time64" },
	{ 421, "rt_sigtimedwait", "rt_sigtimedwait_time64" },
};

struct call_function {
	const char *name;
	uint64_t address;
};

/* Those of a kernel, sorted by name. */
struct call_functions {
	const struct machine *machine;
	struct call_function *v;
	size_t n;
	uint64_t printk;
};

static bool is_of(const char *name, const char *prefix)
{
	return prefix && !strncmp(name, prefix, strlen(prefix));
}

/* Callback of kernel_symbols(). */
static void add_function(const struct kernel_function *function, void *data)
{
	struct call_functions *f = data;
	const char *name = function->name;

	if (!strcmp(name, "_printk") || (!f->printk && !strcmp(name, "printk")))
		f->printk = function->address;
	if (is_of(name, f->machine->syscall_prefix) || is_of(name, f->machine->compat_prefix))
		*vec_add(f->v, f->n) = (struct call_function){ intern(name), function->address };
}

struct call_functions *syscall_functions(const struct kernel *k, const struct machine *m)
{
	struct call_functions *f = arena_new(&program_arena, struct call_functions);

	f->machine = m;
	if (k && kernel_symbols(k, add_function, f))
		sort_rows(f->v, f->n, by_string);
	return f;
}

/* The distance of PREFIX and KIND before the name of the call; 0: the kernel has no such function. */
static int64_t distance_of(const struct call_functions *f, const char *prefix, const char *kind, const char *name)
{
	const char *key = arena_printf(&program_arena, "%s%s%s", prefix ? prefix : "", kind, name);
	const struct call_function *found = f->n ? bsearch(&key, f->v, f->n, sizeof(*f->v), by_string) : NULL;

	return found && f->printk ? (int64_t)(found->address - f->printk) : 0;
}

static const char *function_name(const struct odd_name *names, size_t n, const char *call, int number)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(names[i].call, call) && (names[i].number < 0 || names[i].number == number))
			return names[i].function;
	return call;
}

int64_t syscall_function(const struct call_functions *f, const char *call, int number)
{
	const char *name = function_name(native_names, sizeof(native_names) / sizeof(native_names[0]), call, number);

	return number < 0 ? 0 : distance_of(f, f->machine->syscall_prefix, "", name);
}

int64_t syscall_compat_function(const struct call_functions *f, const char *call, int number)
{
	const char *name = function_name(compat_names, sizeof(compat_names) / sizeof(compat_names[0]), call, number);

	return number < 0 ? 0 : distance_of(f, f->machine->compat_prefix, "compat_sys_", name) ?:
					     distance_of(f, f->machine->compat_prefix, "sys_", name);
}
