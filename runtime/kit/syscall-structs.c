/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Structures that system calls take or fill, as text: {member=value, ...}. Omitted members are "...".
 *
 * A structure of longs or pointers made by a 32-bit program is laid out differently: its address is shown then.
 */
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/signal.h>
#include <linux/socket.h>
#include <linux/stat.h>
#include <linux/string.h>
#include <linux/un.h>
#include <uapi/linux/openat2.h>
#include <uapi/linux/sched.h>
#include <uapi/linux/sem.h>
#include <uapi/linux/stat.h>
#include <uapi/linux/utsname.h>
#include <uapi/linux/wait.h>

#include "runtime/kit/memory.h"
#include "runtime/kit/syscall.h"

enum {
	LIST_MAX = 8, /* elements that are shown */
	NO_COUNT = -1,
};

#define NAMES(table) extern const struct kt_name kt_names_##table[]

/* ---- reading ---- */
static __kprobes void show_address(struct kt_show *s, u64 address)
{
	if (address)
		kt_show_hex(s, address, 0);
	else
		kt_show_text(s, "NULL");
}

/* SIZE bytes; where they cannot be had, or the layout is another one, the address is what is shown. */
static __kprobes bool read_struct(struct kt_show *s, u64 address, void *to, u32 size, bool longs)
{
	if (address && !(longs && s->hit->compat) && !kt_read_user(s->c, to, address, size))
		return true;
	show_address(s, address);
	return false;
}

#define READ_PLAIN(s, address, what) read_struct((s), (address), &(what), sizeof(what), false)
#define READ_LONGS(s, address, what) read_struct((s), (address), &(what), sizeof(what), true)

/* A kind that is filled by the call: NAME_out shows what NAME does, at the return. */
#define KIND_OUT(name)                                                             \
	__kprobes void kt_show_##name##_out(struct kt_show *s, u64 value, u32 n)   \
	{                                                                          \
		if (kt_show_filled(s, value))                                      \
			kt_show_##name(s, value, n);                               \
		else                                                               \
			show_address(s, value);                                    \
	}

static __kprobes void show_int(struct kt_show *s, const char *before, u64 value)
{
	kt_show_text(s, before);
	kt_show_int(s, value, 0);
}

static __kprobes void show_unsigned(struct kt_show *s, const char *before, u64 value)
{
	kt_show_text(s, before);
	kt_show_unsigned(s, value, 0);
}

static __kprobes void show_hex(struct kt_show *s, const char *before, u64 value)
{
	kt_show_text(s, before);
	kt_show_hex(s, value, 0);
}

/* A list: elements of SIZE bytes at VALUE, COUNT of them, each read into ELEMENT and shown by SHOW. */
static __kprobes void show_list(struct kt_show *s, u64 value, u64 count, void *element, u32 size, bool longs,
				void (*show)(struct kt_show *s, const void *element))
{
	if (!value || (longs && s->hit->compat) || (count && kt_read_user(s->c, element, value, size))) {
		show_address(s, value);
		return;
	}
	kt_show_text(s, "[");
	for (u32 i = 0; i < count; i++, value += size) {
		kt_show_text(s, i ? ", " : "");
		if (i == LIST_MAX || kt_read_user(s->c, element, value, size)) {
			kt_show_text(s, "...");
			break;
		}
		show(s, element);
	}
	kt_show_text(s, "]");
}

/* ---- numbers ---- */
static __kprobes void show_int_at(struct kt_show *s, const void *element)
{
	kt_show_int(s, (u64)(s64) * (const s32 *)element, 0);
}

__kprobes void kt_show_int_out(struct kt_show *s, u64 value, u32 n)
{
	s32 i;

	if (kt_show_filled(s, value))
		show_list(s, value, 1, &i, sizeof(i), false, show_int_at);
	else
		show_address(s, value);
}

__kprobes void kt_show_fd_pair_out(struct kt_show *s, u64 value, u32 n)
{
	s32 i;

	if (kt_show_filled(s, value))
		show_list(s, value, 2, &i, sizeof(i), false, show_int_at);
	else
		kt_show_hex(s, value, n);
}

/* ---- time ---- */
static __kprobes void show_time(struct kt_show *s, const char *kind, const s64 *pair)
{
	bool nanoseconds = *kind == 'n';

	if (nanoseconds && pair[1] == ((1l << 30) - 1l)) {
		kt_show_text(s, "UTIME_NOW");
		return;
	}
	if (nanoseconds && pair[1] == ((1l << 30) - 2l)) {
		kt_show_text(s, "UTIME_OMIT");
		return;
	}
	show_int(s, "{tv_sec=", (u64)pair[0]);
	show_int(s, nanoseconds ? ", tv_nsec=" : ", tv_usec=", (u64)pair[1]);
	kt_show_text(s, "}");
}

static __kprobes void show_times(struct kt_show *s, const char *kind, u64 value, u32 count, bool longs)
{
	s64 pair[4];

	if (!read_struct(s, value, pair, count * 16, longs))
		return;
	kt_show_text(s, count > 1 ? "[" : "");
	show_time(s, kind, pair);
	if (count > 1) {
		kt_show_text(s, ", ");
		show_time(s, kind, pair + 2);
		kt_show_text(s, "]");
	}
}

#define KIND_TIME(name, kind, count, longs)                                        \
	__kprobes void kt_show_##name(struct kt_show *s, u64 value, u32 n)         \
	{                                                                          \
		show_times(s, kind, value, count, longs);                          \
	}
KIND_TIME(timespec, "n", 1, true)
KIND_TIME(timespec64, "n", 1, false)
KIND_TIME(timespec_pair, "n", 2, true)
KIND_TIME(timeval, "u", 1, true)
KIND_TIME(timeval_pair, "u", 2, true)
KIND_OUT(timespec)
KIND_OUT(timespec64)
KIND_OUT(timeval)

/* Filled when the call was interrupted. */
__kprobes void kt_show_timespec_rem(struct kt_show *s, u64 value, u32 n)
{
	if (value && s->hit->at_exit && (s->hit->result == -EINTR || s->hit->result == -516 /* ERESTART_RESTARTBLOCK */))
		kt_show_timespec(s, value, n);
	else
		show_address(s, value);
}

__kprobes void kt_show_utimbuf(struct kt_show *s, u64 value, u32 n)
{
	s64 times[2];

	if (!READ_LONGS(s, value, times))
		return;
	show_int(s, "{actime=", (u64)times[0]);
	show_int(s, ", modtime=", (u64)times[1]);
	kt_show_text(s, "}");
}

static __kprobes void show_timer(struct kt_show *s, const char *kind, u64 value)
{
	s64 timer[4];

	if (!READ_LONGS(s, value, timer))
		return;
	kt_show_text(s, "{it_interval=");
	show_time(s, kind, timer);
	kt_show_text(s, ", it_value=");
	show_time(s, kind, timer + 2);
	kt_show_text(s, "}");
}

__kprobes void kt_show_itimerval(struct kt_show *s, u64 value, u32 n)
{
	show_timer(s, "u", value);
}
KIND_OUT(itimerval)

__kprobes void kt_show_itimerspec(struct kt_show *s, u64 value, u32 n)
{
	show_timer(s, "n", value);
}
KIND_OUT(itimerspec)

/* Of FUTEX_REQUEUE, CMP_REQUEUE and WAKE_OP the word is a number; the WAKE operations have none. */
static __kprobes bool futex_has_time(const struct kt_show *s)
{
	enum { WAITS = 1 << 0 | 1 << 6 | 1 << 9 | 1 << 11 | 1 << 13 };
	u64 op = kt_hit_argument(s->hit, 1) & 0x7f;

	return op < 32 && (WAITS >> op & 1);
}

__kprobes void kt_show_futex_time(struct kt_show *s, u64 value, u32 n)
{
	if (futex_has_time(s))
		kt_show_timespec(s, value, n);
	else
		kt_show_hex(s, value, n);
}

__kprobes void kt_show_futex_time64(struct kt_show *s, u64 value, u32 n)
{
	if (futex_has_time(s))
		kt_show_timespec64(s, value, n);
	else
		kt_show_hex(s, value, n);
}

/* ---- files ---- */
__kprobes void kt_show_stat_out(struct kt_show *s, u64 value, u32 n)
{
	struct stat st;

	if (!kt_show_filled(s, value)) {
		show_address(s, value);
		return;
	}
	if (!READ_LONGS(s, value, st))
		return;
	kt_show_text(s, "{st_mode=");
	kt_show_mode(s, st.st_mode);
	if ((st.st_mode & S_IFMT) == S_IFCHR || (st.st_mode & S_IFMT) == S_IFBLK) {
		kt_show_text(s, ", st_rdev=");
		kt_show_device(s, st.st_rdev, n);
	} else {
		show_int(s, ", st_size=", (u64)st.st_size);
	}
	kt_show_text(s, ", ...}");
}

__kprobes void kt_show_statx_out(struct kt_show *s, u64 value, u32 n)
{
	struct statx st;

	if (!kt_show_filled(s, value)) {
		show_address(s, value);
		return;
	}
	if (!READ_PLAIN(s, value, st))
		return;
	show_hex(s, "{stx_mask=", st.stx_mask);
	kt_show_text(s, ", stx_mode=");
	kt_show_mode(s, st.stx_mode);
	show_unsigned(s, ", stx_size=", st.stx_size);
	kt_show_text(s, ", ...}");
}

__kprobes void kt_show_open_how(struct kt_show *s, u64 value, u32 n)
{
	struct open_how how;
	NAMES(open_flags);

	if (!READ_PLAIN(s, value, how))
		return;
	kt_show_text(s, "{flags=");
	kt_show_open_flags_in(s, kt_names_open_flags, how.flags);
	if (how.mode) {
		kt_show_text(s, ", mode=");
		kt_show_octal(s, how.mode, 0);
	}
	show_hex(s, ", resolve=", how.resolve);
	kt_show_text(s, "}");
}

__kprobes void kt_show_utsname_out(struct kt_show *s, u64 value, u32 n)
{
	struct new_utsname *name = NULL;

	if (!kt_show_filled(s, value)) {
		show_address(s, value);
		return;
	}
	kt_show_text(s, "{sysname=");
	kt_show_string(s, value + (u64)(unsigned long)&name->sysname, n);
	kt_show_text(s, ", nodename=");
	kt_show_string(s, value + (u64)(unsigned long)&name->nodename, n);
	kt_show_text(s, ", ...}");
}

/* ---- limits ---- */
static __kprobes void show_limit(struct kt_show *s, const char *before, u64 value)
{
	kt_show_text(s, before);
	if (value == ~0ull) {
		kt_show_text(s, "RLIM64_INFINITY");
	} else if (value > 1024 && !(value & 1023)) {
		kt_show_unsigned(s, value / 1024, 0);
		kt_show_text(s, "*1024");
	} else {
		kt_show_unsigned(s, value, 0);
	}
}

__kprobes void kt_show_rlimit(struct kt_show *s, u64 value, u32 n)
{
	u64 limits[2];

	if (!READ_LONGS(s, value, limits))
		return;
	show_limit(s, "{rlim_cur=", limits[0]);
	show_limit(s, ", rlim_max=", limits[1]);
	kt_show_text(s, "}");
}
KIND_OUT(rlimit)

/* ---- buffers ---- */
struct buffer {
	u64 base, len;
};

/* The list of buffers at VALUE; their bytes as far as LEFT goes, which NO_COUNT is for: addresses only. */
static __kprobes void show_buffers(struct kt_show *s, u64 value, u64 count, s64 left)
{
	struct buffer b;

	if (!value || s->hit->compat || (count && kt_read_user(s->c, &b, value, sizeof(b)))) {
		show_address(s, value);
		return;
	}
	kt_show_text(s, "[");
	for (u32 i = 0; i < count; i++, value += sizeof(b)) {
		kt_show_text(s, i ? ", " : "");
		if (i == LIST_MAX || kt_read_user(s->c, &b, value, sizeof(b))) {
			kt_show_text(s, "...");
			break;
		}
		kt_show_text(s, "{iov_base=");
		if (left == NO_COUNT) {
			kt_show_hex(s, b.base, 0);
		} else {
			u64 n = min_t(u64, b.len, (u64)left);

			kt_show_data_at(s, b.base, n);
			left -= (s64)n;
		}
		show_unsigned(s, ", iov_len=", b.len);
		kt_show_text(s, "}");
	}
	kt_show_text(s, "]");
}

__kprobes void kt_show_iovec(struct kt_show *s, u64 value, u32 n)
{
	show_buffers(s, value, kt_hit_argument(s->hit, n + 1), S64_MAX);
}

__kprobes void kt_show_iovec_out(struct kt_show *s, u64 value, u32 n)
{
	if (kt_show_filled(s, value))
		show_buffers(s, value, kt_hit_argument(s->hit, n + 1), s->hit->result);
	else
		show_address(s, value);
}

__kprobes void kt_show_iovec_bare(struct kt_show *s, u64 value, u32 n)
{
	show_buffers(s, value, kt_hit_argument(s->hit, n + 1), NO_COUNT);
}

/* ---- sockets ---- */
union address {
	u16 family;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	struct sockaddr_un un;
};

/* At the return the kernel has stored the length after the next argument, at the entry the next argument is the length. */
__kprobes u32 kt_hit_sockaddr(struct kt_ctx *c, const struct kt_hit *hit, u32 n, void *to, u32 size)
{
	u64 address = kt_hit_argument(hit, n);
	u32 len = (u32)kt_hit_argument(hit, n + 1);
	const struct kt_kind *kind = hit->call && n + 1 < KT_CALL_ARGUMENTS ? hit->call->kinds[n + 1] : NULL;

	if (!kind || !address)
		return 0;
	if (kind->width == KT_WIDTH_l && (!hit->at_exit || kt_read_user(c, &len, kt_hit_argument(hit, n + 1), sizeof(len))))
		return 0;
	len = min(len, size);
	return len >= sizeof(u16) && !kt_read_user(c, to, address, len) ? len : 0;
}

static __kprobes void show_ip4(struct kt_show *s, const u8 *a)
{
	for (int i = 0; i < 4; i++)
		show_unsigned(s, i ? "." : "", a[i]);
}

/* As inet_ntop(): the longest run of two zeros or more is left out. */
static __kprobes void show_ip6(struct kt_show *s, const u8 *a)
{
	int best = -1, best_len = 1;

	for (int i = 0; i < 8; i++) {
		int len = 0;

		while (i + len < 8 && !a[2 * (i + len)] && !a[2 * (i + len) + 1])
			len++;
		if (len > best_len) {
			best = i;
			best_len = len;
		}
	}
	for (int i = 0; i < 8; i++) {
		u32 word = (u32)a[2 * i] << 8 | a[2 * i + 1], digits = 1;

		if (i == best) {
			kt_show_text(s, "::");
			i += best_len - 1;
			continue;
		}
		kt_show_text(s, i && i != best + best_len ? ":" : "");
		while (digits < 4 && word >> (4 * digits))
			digits++;
		while (digits-- > 0)
			kt_show_text(s, (char[2]){ "0123456789abcdef"[word >> (4 * digits) & 15], 0 });
	}
}

/* A local address: a path, or an abstract name that begins with a NUL and is shown with @. */
static __kprobes void show_local(struct kt_show *s, const struct sockaddr_un *un, u32 len)
{
	u32 path = len - (u32)offsetof(struct sockaddr_un, sun_path);
	bool abstract = path && !un->sun_path[0];

	kt_show_text(s, abstract ? "@" : "");
	if (abstract)
		kt_show_bytes(s, un->sun_path + 1, path - 1);
	else
		kt_show_bytes(s, un->sun_path, (u32)strnlen(un->sun_path, path));
}

__kprobes void kt_show_sockaddr(struct kt_show *s, u64 value, u32 n)
{
	union address a;
	u32 len;
	NAMES(socket_family);

	memset(&a, 0, sizeof(a));
	len = kt_hit_sockaddr(s->c, s->hit, n, &a, sizeof(a));
	if (!len) {
		show_address(s, value);
		return;
	}
	kt_show_text(s, "{sa_family=");
	kt_show_name_in(s, kt_names_socket_family, a.family);
	if (a.family == AF_INET) {
		show_unsigned(s, ", sin_port=htons(", be16_to_cpu(a.in.sin_port));
		kt_show_text(s, "), sin_addr=inet_addr(\"");
		show_ip4(s, (const u8 *)&a.in.sin_addr);
		kt_show_text(s, "\")");
	} else if (a.family == AF_INET6) {
		show_unsigned(s, ", sin6_port=htons(", be16_to_cpu(a.in6.sin6_port));
		show_unsigned(s, "), sin6_flowinfo=htonl(", be32_to_cpu(a.in6.sin6_flowinfo));
		kt_show_text(s, "), inet_pton(AF_INET6, \"");
		show_ip6(s, a.in6.sin6_addr.s6_addr);
		kt_show_text(s, "\", &sin6_addr)");
		show_unsigned(s, ", sin6_scope_id=", a.in6.sin6_scope_id);
	} else if (a.family == AF_UNIX && len > sizeof(u16)) {
		kt_show_text(s, ", sun_path=");
		show_local(s, &a.un, len);
	} else if (len > sizeof(u16)) {
		kt_show_text(s, ", ...");
	}
	kt_show_text(s, "}");
}
KIND_OUT(sockaddr)

__kprobes void kt_show_sockaddr_ip(struct kt_show *s, u64 value, u32 n)
{
	union address a;
	u32 len;

	memset(&a, 0, sizeof(a));
	len = kt_hit_sockaddr(s->c, s->hit, n, &a, sizeof(a));
	if (len && a.family == AF_INET)
		show_ip4(s, (const u8 *)&a.in.sin_addr);
	else if (len && a.family == AF_INET6)
		show_ip6(s, a.in6.sin6_addr.s6_addr);
}

static __kprobes void show_option(struct kt_show *s, u64 value, u32 len)
{
	s32 i;

	if (len == sizeof(i))
		show_list(s, value, 1, &i, sizeof(i), false, show_int_at);
	else
		kt_show_data_at(s, value, len);
}

__kprobes void kt_show_option_value(struct kt_show *s, u64 value, u32 n)
{
	show_option(s, value, (u32)kt_hit_argument(s->hit, n + 1));
}

__kprobes void kt_show_option_out(struct kt_show *s, u64 value, u32 n)
{
	u32 len;

	if (kt_show_filled(s, value) && !kt_read_user(s->c, &len, kt_hit_argument(s->hit, n + 1), sizeof(len)))
		show_option(s, value, len);
	else
		show_address(s, value);
}

static __kprobes void show_message(struct kt_show *s, const void *element, s64 left)
{
	const struct user_msghdr *m = element;

	show_hex(s, "{msg_name=", (u64)(unsigned long)m->msg_name);
	show_int(s, ", msg_namelen=", (u64)m->msg_namelen);
	kt_show_text(s, ", msg_iov=");
	show_buffers(s, (u64)(unsigned long)m->msg_iov, m->msg_iovlen, left);
	show_unsigned(s, ", msg_iovlen=", m->msg_iovlen);
	show_unsigned(s, ", msg_controllen=", m->msg_controllen);
	kt_show_text(s, "}");
}

__kprobes void kt_show_msghdr(struct kt_show *s, u64 value, u32 n)
{
	struct user_msghdr m;

	if (READ_LONGS(s, value, m))
		show_message(s, &m, S64_MAX);
}

__kprobes void kt_show_msghdr_out(struct kt_show *s, u64 value, u32 n)
{
	struct user_msghdr m;

	if (!kt_show_filled(s, value))
		show_address(s, value);
	else if (READ_LONGS(s, value, m))
		show_message(s, &m, s->hit->result);
}

static __kprobes void show_mmsg(struct kt_show *s, const void *element)
{
	const struct mmsghdr *m = element;

	kt_show_text(s, "{msg_hdr=");
	show_message(s, &m->msg_hdr, S64_MAX);
	kt_show_text(s, "}");
}

__kprobes void kt_show_mmsghdr(struct kt_show *s, u64 value, u32 n)
{
	struct mmsghdr m;

	show_list(s, value, kt_hit_argument(s->hit, n + 1), &m, sizeof(m), true, show_mmsg);
}

/* ---- waiting for files ---- */
static __kprobes void show_poll(struct kt_show *s, const void *element)
{
	const struct {
		s32 fd;
		s16 events, revents;
	} *p = element;
	NAMES(poll_events);

	show_int(s, "{fd=", (u64)(s64)p->fd);
	kt_show_text(s, ", events=");
	kt_show_flags_in(s, kt_names_poll_events, (u16)p->events, false);
	if (s->hit->at_exit && p->revents) {
		kt_show_text(s, ", revents=");
		kt_show_flags_in(s, kt_names_poll_events, (u16)p->revents, false);
	}
	kt_show_text(s, "}");
}

__kprobes void kt_show_pollfds(struct kt_show *s, u64 value, u32 n)
{
	u64 element;

	show_list(s, value, kt_hit_argument(s->hit, n + 1), &element, sizeof(element), false, show_poll);
}

static __kprobes void show_epoll(struct kt_show *s, const void *element)
{
	u32 events;
	u64 data;
	NAMES(epoll_events);

	memcpy(&events, element, sizeof(events));
	memcpy(&data, (const char *)element + sizeof(struct epoll_event) - sizeof(data), sizeof(data));
	kt_show_text(s, "{events=");
	kt_show_flags_in(s, kt_names_epoll_events, events, false);
	show_unsigned(s, ", data={u32=", (u32)data);
	show_unsigned(s, ", u64=", data);
	kt_show_text(s, "}}");
}

__kprobes void kt_show_epoll_event(struct kt_show *s, u64 value, u32 n)
{
	struct epoll_event e;

	if (READ_PLAIN(s, value, e))
		show_epoll(s, &e);
}

__kprobes void kt_show_epoll_events_out(struct kt_show *s, u64 value, u32 n)
{
	struct epoll_event e;

	if (kt_show_filled(s, value))
		show_list(s, value, (u64)s->hit->result, &e, sizeof(e), false, show_epoll);
	else
		show_address(s, value);
}

/* ---- processes and signals ---- */
__kprobes void kt_show_wait_status_out(struct kt_show *s, u64 value, u32 n)
{
	s32 status;

	/* Nothing was waited for, nothing was written. */
	if (!kt_show_filled(s, value) || !s->hit->result) {
		show_address(s, value);
		return;
	}
	if (!READ_PLAIN(s, value, status))
		return;
	if (!(status & 0x7f)) {
		show_int(s, "[{WIFEXITED(s) && WEXITSTATUS(s) == ", status >> 8 & 0xff);
	} else if ((status & 0xff) == 0x7f) {
		kt_show_text(s, "[{WIFSTOPPED(s) && WSTOPSIG(s) == ");
		kt_show_signal(s, status >> 8 & 0xff, n);
	} else if (status == 0xffff) {
		kt_show_text(s, "[{WIFCONTINUED(s)");
	} else {
		kt_show_text(s, "[{WIFSIGNALED(s) && WTERMSIG(s) == ");
		kt_show_signal(s, status & 0x7f, n);
		kt_show_text(s, status & 0x80 ? " && WCOREDUMP(s)" : "");
	}
	kt_show_text(s, "}]");
}

/* [A B]; of a set with nearly all signals, those that are missing: ~[A B]. */
static __kprobes void show_signals(struct kt_show *s, u64 set)
{
	bool most = hweight64(set) >= 32, any = false;

	if (most)
		set = ~set;
	kt_show_text(s, most ? "~[" : "[");
	for (u32 i = 1; i <= 64; i++) {
		struct kt_show *at = s;
		u32 before;

		if (!(set >> (i - 1) & 1))
			continue;
		kt_show_text(s, any ? " " : "");
		any = true;
		before = at->len;
		kt_show_signal(s, i, 0);
		/* In sets names go without SIG. */
		if (i < 32 && at->len > before + 3) {
			memmove(at->to + before, at->to + before + 3, at->len - before - 2);
			at->len -= 3;
		}
	}
	kt_show_text(s, "]");
}

__kprobes void kt_show_sigset(struct kt_show *s, u64 value, u32 n)
{
	u64 set;

	if (READ_PLAIN(s, value, set))
		show_signals(s, set);
}
KIND_OUT(sigset)

__kprobes void kt_show_sigaction(struct kt_show *s, u64 value, u32 n)
{
	struct sigaction act;
	u64 mask;
	NAMES(sigaction_flags);

	if (!READ_LONGS(s, value, act))
		return;
	kt_show_text(s, "{sa_handler=");
	kt_show_signal_handler(s, (u64)(unsigned long)act.sa_handler, n);
	memcpy(&mask, &act.sa_mask, sizeof(mask));
	kt_show_text(s, ", sa_mask=");
	show_signals(s, mask);
	kt_show_text(s, ", sa_flags=");
	kt_show_flags_in(s, kt_names_sigaction_flags, (u32)act.sa_flags, false);
	if (act.sa_flags & 0x04000000)
		show_hex(s, ", sa_restorer=", (u64)(unsigned long)act.sa_restorer);
	kt_show_text(s, "}");
}
KIND_OUT(sigaction)

__kprobes void kt_show_siginfo(struct kt_show *s, u64 value, u32 n)
{
	s32 info[3]; /* signal, errno, code */

	if (!READ_PLAIN(s, value, info))
		return;
	kt_show_text(s, "{si_signo=");
	kt_show_signal(s, (u32)info[0], n);
	show_int(s, ", si_code=", (u64)(s64)info[2]);
	kt_show_text(s, ", ...}");
}

__kprobes void kt_show_stack(struct kt_show *s, u64 value, u32 n)
{
	stack_t stack;
	NAMES(stack_flags);

	if (!READ_LONGS(s, value, stack))
		return;
	show_hex(s, "{ss_sp=", (u64)(unsigned long)stack.ss_sp);
	kt_show_text(s, ", ss_flags=");
	kt_show_flags_in(s, kt_names_stack_flags, (u32)stack.ss_flags, false);
	show_unsigned(s, ", ss_size=", stack.ss_size);
	kt_show_text(s, "}");
}
KIND_OUT(stack)

__kprobes void kt_show_sched_param(struct kt_show *s, u64 value, u32 n)
{
	s32 i;

	show_list(s, value, 1, &i, sizeof(i), false, show_int_at);
}
KIND_OUT(sched_param)

/* A set of CPUs by number, of the first 64. */
__kprobes void kt_show_cpu_mask(struct kt_show *s, u64 value, u32 n)
{
	u32 size = (u32)min_t(u64, kt_hit_argument(s->hit, n - 1), sizeof(u64));
	u64 mask = 0;
	bool any = false;

	if (!read_struct(s, value, &mask, size, true))
		return;
	kt_show_text(s, "[");
	for (u32 i = 0; i < 64; i++) {
		if (!(mask >> i & 1))
			continue;
		show_unsigned(s, any ? " " : "", i);
		any = true;
	}
	kt_show_text(s, "]");
}
KIND_OUT(cpu_mask)

static __kprobes void show_sembuf(struct kt_show *s, const void *element)
{
	const struct sembuf *b = element;
	NAMES(ipc_flags);

	show_unsigned(s, "{sem_num=", b->sem_num);
	show_int(s, ", sem_op=", (u64)(s64)b->sem_op);
	kt_show_text(s, ", sem_flg=");
	kt_show_flags_in(s, kt_names_ipc_flags, (u16)b->sem_flg, false);
	kt_show_text(s, "}");
}

__kprobes void kt_show_sembufs(struct kt_show *s, u64 value, u32 n)
{
	struct sembuf b;

	show_list(s, value, kt_hit_argument(s->hit, n + 1), &b, sizeof(b), false, show_sembuf);
}

__kprobes void kt_show_clone_args(struct kt_show *s, u64 value, u32 n)
{
	u64 args[CLONE_ARGS_SIZE_VER0 / sizeof(u64)];
	NAMES(clone_flags);

	if (!READ_PLAIN(s, value, args))
		return;
	kt_show_text(s, "{flags=");
	kt_show_flags_in(s, kt_names_clone_flags, args[0], false);
	kt_show_text(s, ", exit_signal=");
	kt_show_signal(s, args[4], n);
	show_hex(s, ", stack=", args[5]);
	show_hex(s, ", stack_size=", args[6]);
	kt_show_text(s, "}");
}

#undef NAMES
#undef READ_PLAIN
#undef READ_LONGS
#undef KIND_OUT
#undef KIND_TIME
