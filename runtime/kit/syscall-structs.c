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
#include <linux/poll.h>
#include <uapi/linux/eventpoll.h>
#include <uapi/linux/openat2.h>
#include <uapi/linux/resource.h>
#include <uapi/linux/sched.h>
#include <uapi/linux/sched/types.h>
#include <uapi/linux/sem.h>
#include <uapi/linux/stat.h>
#include <uapi/linux/sysinfo.h>
#include <uapi/linux/time.h>
#include <uapi/linux/timex.h>
#include <uapi/linux/utime.h>
#include <uapi/linux/utsname.h>

#include "runtime/kit/memory.h"
#include "runtime/kit/syscall.h"

enum {
	LIST_MAX = 8,   /* elements that are shown */
	STRUCT_MAX = 8, /* words of a structure, up to its last member that is shown */
};

#define NAMES(table) extern const struct kt_name kt_names_##table[]
NAMES(epoll_events);
NAMES(poll_events);
NAMES(sigaction_flags);
NAMES(stack_flags);
NAMES(sched_attr_flags);
NAMES(sched_policy);
NAMES(siginfo_code);
NAMES(timex_modes);
NAMES(timex_status);

/* ---- layouts ---- */
typedef void show_fn(struct kt_show *s, u64 value, u32 n);

/* A member and how it is written. Without a name it stands alone, without {}. */
struct member {
	const char *name;
	u16 offset, size;
	show_fn *show;
	const struct kt_name *flags; /* of this table, if there is no show() */
	enum { IS_VALUE, IS_OPTIONAL /* left out when it is 0 */, IS_INSIDE /* show() gets its address in what was read */ } form;
};

/* A structure, or a list of them. */
struct layout {
	const struct member *members; /* the last one has no size */
	u16 size;                     /* bytes that are read */
	bool longs;                   /* the 32-bit ABI has another layout: the address is shown then */
	bool more;                    /* members are omitted */
	s8 list;                      /* 0: no list; N: of N elements; COUNTED, FILLED */
};
enum { COUNTED = -1 /* by the next argument */, FILLED = -2 /* as many as the call returned */ };

#define AT(type, member) offsetof(type, member), sizeof_field(type, member)
#define M(type, member, show) { #member, AT(type, member), (show) }
#define FLAGS_AT(type, member, table) { #member, AT(type, member), NULL, kt_names_##table }
#define ALONE(size, show, form) { NULL, 0, (size), (show), NULL, (form) }

/* Defines kt_show_NAME(). ...: struct layout after `members`. */
#define SHOW(name, member_list, ...)                                                                           \
	__kprobes void kt_show_##name(struct kt_show *s, u64 value, u32 n)                                     \
	{                                                                                                      \
		static const struct layout layout = { .members = (member_list), __VA_ARGS__ };                 \
                                                                                                               \
		BUILD_BUG_ON(layout.size > STRUCT_MAX * sizeof(u64));                                          \
		show_layout(s, value, n, &layout);                                                             \
	}

static __kprobes u64 value_of(const struct member *m, const char *data)
{
	u64 value = 0;

	if (m->form == IS_INSIDE)
		return (unsigned long)(data + m->offset);
	memcpy(&value, data + m->offset, m->size);
	return m->show == kt_show_int ? (u64)sign_extend64(value, 8 * m->size - 1) : value;
}

static __kprobes void show_members(struct kt_show *s, const struct member *m, const char *data, u32 n, bool more)
{
	const char *before = "{";

	if (!m->name) {
		m->show(s, value_of(m, data), n);
		return;
	}
	for (; m->size; m++) {
		u64 value = value_of(m, data);

		if (m->form == IS_OPTIONAL && !value)
			continue;
		kt_show_text(s, before);
		kt_show_text(s, m->name);
		kt_show_text(s, "=");
		if (m->show)
			m->show(s, value, n);
		else
			kt_show_flags_in(s, m->flags, value, false);
		before = ", ";
	}
	kt_show_text(s, more ? ", ...}" : "}");
}

/* Writes the COUNT structures at VALUE; the address where it cannot be read, or has another layout. */
static __kprobes void show_list(struct kt_show *s, u64 value, u64 count, u32 n, const struct layout *l)
{
	u64 data[STRUCT_MAX];
	u32 start = s->len;

	if (!value || (l->longs && s->hit->compat) || (count && kt_read_user(s->c, data, value, l->size))) {
		kt_show_address(s, value);
		return;
	}
	kt_show_text(s, l->list ? "[" : "");
	for (u64 i = 0; i < count; i++) {
		kt_show_text(s, i ? ", " : "");
		if (i == LIST_MAX || s->len - start >= s->share || kt_read_user(s->c, data, value + i * l->size, l->size)) {
			kt_show_text(s, "...");
			break;
		}
		show_members(s, l->members, (const char *)data, n, l->more);
	}
	kt_show_text(s, l->list ? "]" : "");
}

static __kprobes void show_layout(struct kt_show *s, u64 value, u32 n, const struct layout *l)
{
	u64 count = max(l->list, (s8)1);

	if (l->list == COUNTED)
		count = kt_hit_argument(s->hit, n + 1);
	else if (l->list == FILLED)
		count = (u64)s->hit->result;
	show_list(s, value, count, n, l);
}

static __kprobes void show_unsigned(struct kt_show *s, const char *before, u64 value)
{
	kt_show_text(s, before);
	kt_show_unsigned(s, value, 0);
}

/* ---- numbers ---- */
static const struct member an_int[] = { ALONE(sizeof(s32), kt_show_int, IS_VALUE) };

static const struct member an_id16[] = { ALONE(sizeof(u16), kt_show_unsigned, IS_VALUE) };

SHOW(int_at, an_int, .size = sizeof(s32), .list = 1)
SHOW(id16, an_id16, .size = sizeof(u16), .list = 1)
SHOW(fd_pair, an_int, .size = sizeof(s32), .list = 2)

/* ---- time ---- */
static const struct member timespec_members[] = {
	M(struct __kernel_timespec, tv_sec, kt_show_int), M(struct __kernel_timespec, tv_nsec, kt_show_int), {}
};
static const struct member timeval_members[] = {
	M(struct __kernel_old_timeval, tv_sec, kt_show_int), M(struct __kernel_old_timeval, tv_usec, kt_show_int), {}
};

/* VALUE is where a struct timespec was read to. */
static __kprobes void show_timespec(struct kt_show *s, u64 value, u32 n)
{
	const struct __kernel_timespec *t = (const struct __kernel_timespec *)(unsigned long)value;

	if (t->tv_nsec == (1l << 30) - 1l)
		kt_show_text(s, "UTIME_NOW");
	else if (t->tv_nsec == (1l << 30) - 2l)
		kt_show_text(s, "UTIME_OMIT");
	else
		show_members(s, timespec_members, (const char *)t, n, false);
}

static __kprobes void show_timeval(struct kt_show *s, u64 value, u32 n)
{
	show_members(s, timeval_members, (const char *)(unsigned long)value, n, false);
}

static const struct member a_timespec[] = { ALONE(sizeof(struct __kernel_timespec), show_timespec, IS_INSIDE) };
static const struct member a_timeval[] = { ALONE(sizeof(struct __kernel_old_timeval), show_timeval, IS_INSIDE) };
static const struct member timerspec_members[] = {
	{ "it_interval", AT(struct __kernel_itimerspec, it_interval), show_timespec, NULL, IS_INSIDE },
	{ "it_value", AT(struct __kernel_itimerspec, it_value), show_timespec, NULL, IS_INSIDE }, {}
};
static const struct member timerval_members[] = {
	{ "it_interval", AT(struct __kernel_old_itimerval, it_interval), show_timeval, NULL, IS_INSIDE },
	{ "it_value", AT(struct __kernel_old_itimerval, it_value), show_timeval, NULL, IS_INSIDE }, {}
};
static const struct member utimbuf_members[] = {
	M(struct utimbuf, actime, kt_show_int), M(struct utimbuf, modtime, kt_show_int), {}
};

SHOW(timespec, a_timespec, .size = sizeof(struct __kernel_timespec), .longs = true)
SHOW(timespec64, a_timespec, .size = sizeof(struct __kernel_timespec))
SHOW(timespec_pair, a_timespec, .size = sizeof(struct __kernel_timespec), .longs = true, .list = 2)
SHOW(timeval, a_timeval, .size = sizeof(struct __kernel_old_timeval), .longs = true)
SHOW(timeval_pair, a_timeval, .size = sizeof(struct __kernel_old_timeval), .longs = true, .list = 2)
SHOW(itimerspec, timerspec_members, .size = sizeof(struct __kernel_itimerspec), .longs = true)
SHOW(itimerval, timerval_members, .size = sizeof(struct __kernel_old_itimerval), .longs = true)
SHOW(utimbuf, utimbuf_members, .size = sizeof(struct utimbuf), .longs = true)

/* Filled when the call was interrupted. */
__kprobes void kt_show_timespec_rem(struct kt_show *s, u64 value, u32 n)
{
	if (value && s->hit->at_exit && (s->hit->result == -EINTR || s->hit->result == -516 /* ERESTART_RESTARTBLOCK */))
		kt_show_timespec(s, value, n);
	else
		kt_show_address(s, value);
}

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
static __kprobes void show_mode(struct kt_show *s, u64 value, u32 n)
{
	kt_show_mode(s, (u32)value);
}

/* Of a device its number, of another file its size. */
static __kprobes void show_stat_rest(struct kt_show *s, u64 value, u32 n)
{
	const struct stat *st = (const struct stat *)(unsigned long)value;

	kt_show_mode(s, st->st_mode);
	if (S_ISCHR(st->st_mode) || S_ISBLK(st->st_mode)) {
		kt_show_text(s, ", st_rdev=");
		kt_show_device(s, st->st_rdev, n);
	} else {
		kt_show_text(s, ", st_size=");
		kt_show_int(s, (u64)st->st_size, n);
	}
}

static __kprobes void show_open_flags(struct kt_show *s, u64 value, u32 n)
{
	kt_show_open_flags_in(s, kt_names_open_flags, value);
}

static const struct member stat_members[] = { { "st_mode", 0, sizeof(struct stat), show_stat_rest, NULL, IS_INSIDE }, {} };
static const struct member statx_members[] = {
	M(struct statx, stx_mask, kt_show_hex), M(struct statx, stx_mode, show_mode), M(struct statx, stx_size, kt_show_unsigned), {}
};
static const struct member open_how_members[] = {
	M(struct open_how, flags, show_open_flags),
	{ "mode", AT(struct open_how, mode), kt_show_octal, NULL, IS_OPTIONAL },
	M(struct open_how, resolve, kt_show_hex), {}
};

SHOW(stat, stat_members, .size = offsetofend(struct stat, st_size), .longs = true, .more = true)
SHOW(statx, statx_members, .size = offsetofend(struct statx, stx_size), .more = true)
SHOW(open_how, open_how_members, .size = sizeof(struct open_how))

__kprobes void kt_show_utsname(struct kt_show *s, u64 value, u32 n)
{
	kt_show_text(s, "{sysname=");
	kt_show_string(s, value + offsetof(struct new_utsname, sysname), n);
	kt_show_text(s, ", nodename=");
	kt_show_string(s, value + offsetof(struct new_utsname, nodename), n);
	kt_show_text(s, ", ...}");
}

/* ---- limits ---- */
static __kprobes void show_limit(struct kt_show *s, u64 value, u32 n)
{
	if (value == ~0ull) {
		kt_show_text(s, "RLIM64_INFINITY");
	} else if (value > 1024 && !(value & 1023)) {
		kt_show_unsigned(s, value / 1024, n);
		kt_show_text(s, "*1024");
	} else {
		kt_show_unsigned(s, value, n);
	}
}

static const struct member rlimit_members[] = {
	M(struct rlimit64, rlim_cur, show_limit), M(struct rlimit64, rlim_max, show_limit), {}
};

SHOW(rlimit, rlimit_members, .size = sizeof(struct rlimit64), .longs = true)

/* ---- the system ---- */
static const struct member timex_members[] = {
	FLAGS_AT(struct __kernel_timex, modes, timex_modes), M(struct __kernel_timex, offset, kt_show_int),
	M(struct __kernel_timex, freq, kt_show_int), M(struct __kernel_timex, maxerror, kt_show_int),
	M(struct __kernel_timex, esterror, kt_show_int), FLAGS_AT(struct __kernel_timex, status, timex_status),
	M(struct __kernel_timex, constant, kt_show_int), M(struct __kernel_timex, precision, kt_show_int), {}
};

/* VALUE is where the first of three numbers was read to. */
static __kprobes void show_loads(struct kt_show *s, u64 value, u32 n)
{
	const unsigned long *load = (const unsigned long *)(unsigned long)value;

	for (u32 i = 0; i < 3; i++)
		show_unsigned(s, i ? ", " : "[", load[i]);
	kt_show_text(s, "]");
}

static const struct member sysinfo_members[] = {
	M(struct sysinfo, uptime, kt_show_int), { "loads", AT(struct sysinfo, loads), show_loads, NULL, IS_INSIDE },
	M(struct sysinfo, totalram, kt_show_unsigned), M(struct sysinfo, freeram, kt_show_unsigned),
	M(struct sysinfo, sharedram, kt_show_unsigned), M(struct sysinfo, bufferram, kt_show_unsigned), {}
};

static __kprobes void show_policy(struct kt_show *s, u64 value, u32 n)
{
	kt_show_name_in(s, kt_names_sched_policy, value);
}

static const struct member sched_attr_members[] = {
	M(struct sched_attr, size, kt_show_unsigned), M(struct sched_attr, sched_policy, show_policy),
	FLAGS_AT(struct sched_attr, sched_flags, sched_attr_flags), M(struct sched_attr, sched_nice, kt_show_int),
	M(struct sched_attr, sched_priority, kt_show_unsigned), M(struct sched_attr, sched_runtime, kt_show_unsigned),
	M(struct sched_attr, sched_deadline, kt_show_unsigned), M(struct sched_attr, sched_period, kt_show_unsigned), {}
};

SHOW(timex, timex_members, .size = offsetofend(struct __kernel_timex, precision), .longs = true, .more = true)
SHOW(sysinfo, sysinfo_members, .size = offsetofend(struct sysinfo, bufferram), .longs = true, .more = true)
SHOW(sched_attr, sched_attr_members, .size = offsetofend(struct sched_attr, sched_period), .more = true)

/* ---- buffers ---- */
struct buffer {
	u64 iov_base, iov_len;
};

/* VALUE is where a struct buffer was read to. */
static __kprobes void show_base(struct kt_show *s, u64 value, u32 n)
{
	const struct buffer *b = (const struct buffer *)(unsigned long)value;
	u64 some = min(b->iov_len, s->bytes_left);

	kt_show_data_at(s, b->iov_base, some);
	if (s->bytes_left != U64_MAX)
		s->bytes_left -= some;
}

static const struct member bare_members[] = {
	M(struct buffer, iov_base, kt_show_hex), M(struct buffer, iov_len, kt_show_unsigned), {}
};
static const struct member buffer_members[] = {
	{ "iov_base", 0, sizeof(struct buffer), show_base, NULL, IS_INSIDE }, M(struct buffer, iov_len, kt_show_unsigned), {}
};

SHOW(iovec_bare, bare_members, .size = sizeof(struct buffer), .longs = true, .list = COUNTED)

/* Of COUNT buffers that the call has filled, it returned how many bytes are theirs. */
static __kprobes void show_buffers(struct kt_show *s, u64 value, u64 count, u32 n)
{
	static const struct layout layout = { buffer_members, .size = sizeof(struct buffer), .longs = true, .list = COUNTED };

	s->bytes_left = s->hit->call->kinds[n]->width == KT_WIDTH_o ? (u64)s->hit->result : U64_MAX;
	show_list(s, value, count, n, &layout);
}

__kprobes void kt_show_iovec(struct kt_show *s, u64 value, u32 n)
{
	show_buffers(s, value, kt_hit_argument(s->hit, n + 1), n);
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
	if (kind->width == KT_WIDTH_o && (!hit->at_exit || kt_read_user(c, &len, kt_hit_argument(hit, n + 1), sizeof(len))))
		return 0;
	len = min(len, size);
	return len >= sizeof(u16) && !kt_read_user(c, to, address, len) ? len : 0;
}

/* As inet_ntop(). */
static __kprobes void show_ip_address(struct kt_show *s, const union address *a)
{
	char text[sizeof("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255")];

	if (a->family == AF_INET)
		scnprintf(text, sizeof(text), "%pI4", &a->in.sin_addr);
	else
		scnprintf(text, sizeof(text), "%pI6c", &a->in6.sin6_addr);
	kt_show_text(s, text);
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
		kt_show_address(s, value);
		return;
	}
	kt_show_text(s, "{sa_family=");
	kt_show_name_in(s, kt_names_socket_family, a.family);
	if (a.family == AF_INET) {
		show_unsigned(s, ", sin_port=htons(", be16_to_cpu(a.in.sin_port));
		kt_show_text(s, "), sin_addr=inet_addr(\"");
		show_ip_address(s, &a);
		kt_show_text(s, "\")");
	} else if (a.family == AF_INET6) {
		show_unsigned(s, ", sin6_port=htons(", be16_to_cpu(a.in6.sin6_port));
		show_unsigned(s, "), sin6_flowinfo=htonl(", be32_to_cpu(a.in6.sin6_flowinfo));
		kt_show_text(s, "), inet_pton(AF_INET6, \"");
		show_ip_address(s, &a);
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

__kprobes void kt_show_sockaddr_ip(struct kt_show *s, u64 value, u32 n)
{
	union address a;
	u32 len;

	memset(&a, 0, sizeof(a));
	len = kt_hit_sockaddr(s->c, s->hit, n, &a, sizeof(a));
	if (len && (a.family == AF_INET || a.family == AF_INET6))
		show_ip_address(s, &a);
}

static __kprobes void show_option(struct kt_show *s, u64 value, u32 len, u32 n)
{
	if (len == sizeof(s32))
		kt_show_int_at(s, value, n);
	else
		kt_show_data_at(s, value, len);
}

__kprobes void kt_show_option_value(struct kt_show *s, u64 value, u32 n)
{
	show_option(s, value, (u32)kt_hit_argument(s->hit, n + 1), n);
}

__kprobes void kt_show_option_filled(struct kt_show *s, u64 value, u32 n)
{
	u32 len;

	if (!kt_read_user(s->c, &len, kt_hit_argument(s->hit, n + 1), sizeof(len)))
		show_option(s, value, len, n);
	else
		kt_show_address(s, value);
}

/* VALUE is where a struct user_msghdr was read to. */
static __kprobes void show_message_buffers(struct kt_show *s, u64 value, u32 n)
{
	const struct user_msghdr *m = (const struct user_msghdr *)(unsigned long)value;

	show_buffers(s, (u64)(unsigned long)m->msg_iov, m->msg_iovlen, n);
}

static const struct member msghdr_members[] = {
	M(struct user_msghdr, msg_name, kt_show_hex), M(struct user_msghdr, msg_namelen, kt_show_int),
	{ "msg_iov", 0, sizeof(struct user_msghdr), show_message_buffers, NULL, IS_INSIDE },
	M(struct user_msghdr, msg_iovlen, kt_show_unsigned), M(struct user_msghdr, msg_controllen, kt_show_unsigned), {}
};

static __kprobes void show_message(struct kt_show *s, u64 value, u32 n)
{
	show_members(s, msghdr_members, (const char *)(unsigned long)value, n, false);
}

static const struct member mmsghdr_members[] = {
	{ "msg_hdr", AT(struct mmsghdr, msg_hdr), show_message, NULL, IS_INSIDE }, {}
};

SHOW(msghdr, msghdr_members, .size = sizeof(struct user_msghdr), .longs = true)
SHOW(mmsghdr, mmsghdr_members, .size = sizeof(struct mmsghdr), .longs = true, .list = COUNTED)

/* ---- waiting for files ---- */
static __kprobes void show_epoll_data(struct kt_show *s, u64 value, u32 n)
{
	show_unsigned(s, "{u32=", (u32)value);
	show_unsigned(s, ", u64=", value);
	kt_show_text(s, "}");
}

/* VALUE is where a struct pollfd was read to. At the entry its revents are those of the last call. */
static __kprobes void show_poll_events(struct kt_show *s, u64 value, u32 n)
{
	const struct pollfd *p = (const struct pollfd *)(unsigned long)value;

	kt_show_flags_in(s, kt_names_poll_events, (u16)p->events, false);
	if (!s->hit->at_exit || !p->revents)
		return;
	kt_show_text(s, ", revents=");
	kt_show_flags_in(s, kt_names_poll_events, (u16)p->revents, false);
}

static const struct member pollfd_members[] = {
	M(struct pollfd, fd, kt_show_int), { "events", 0, sizeof(struct pollfd), show_poll_events, NULL, IS_INSIDE }, {}
};
static const struct member epoll_event_members[] = {
	FLAGS_AT(struct epoll_event, events, epoll_events), M(struct epoll_event, data, show_epoll_data), {}
};

SHOW(pollfds, pollfd_members, .size = sizeof(struct pollfd), .list = COUNTED)
SHOW(epoll_event, epoll_event_members, .size = sizeof(struct epoll_event))
SHOW(epoll_events, epoll_event_members, .size = sizeof(struct epoll_event), .list = FILLED)

/* ---- processes and signals ---- */
__kprobes void kt_show_wait_status(struct kt_show *s, u64 value, u32 n)
{
	s32 status;

	/* Nothing was waited for, nothing was written. */
	if (!s->hit->result || kt_read_user(s->c, &status, value, sizeof(status))) {
		kt_show_address(s, value);
		return;
	}
	if (!(status & 0x7f)) {
		show_unsigned(s, "[{WIFEXITED(s) && WEXITSTATUS(s) == ", status >> 8 & 0xff);
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
static __kprobes void show_signals(struct kt_show *s, u64 set, u32 n)
{
	bool most = hweight64(set) >= 32, any = false;

	if (most)
		set = ~set;
	kt_show_text(s, most ? "~[" : "[");
	for (u32 i = 1; i <= 64; i++) {
		u32 before;

		if (!(set >> (i - 1) & 1))
			continue;
		kt_show_text(s, any ? " " : "");
		any = true;
		before = s->len;
		kt_show_signal(s, i, 0);
		/* In sets names go without SIG. */
		if (i < 32 && s->len > before + 3) {
			memmove(s->to + before, s->to + before + 3, s->len - before - 2);
			s->len -= 3;
		}
	}
	kt_show_text(s, "]");
}

static __kprobes void show_signal_handler(struct kt_show *s, u64 value, u32 n)
{
	kt_show_name_in(s, kt_names_signal_handler, value);
}

/* VALUE is where a struct sigaction was read to. */
static __kprobes void show_action_flags(struct kt_show *s, u64 value, u32 n)
{
	enum { HAS_RESTORER = 0x04000000 };
	const struct sigaction *act = (const struct sigaction *)(unsigned long)value;

	kt_show_flags_in(s, kt_names_sigaction_flags, (u32)act->sa_flags, false);
	if (act->sa_flags & HAS_RESTORER) {
		kt_show_text(s, ", sa_restorer=");
		kt_show_hex(s, (u64)(unsigned long)act->sa_restorer, n);
	}
}

static const struct member a_sigset[] = { ALONE(sizeof(u64), show_signals, IS_VALUE) };
static const struct member sigaction_members[] = {
	M(struct sigaction, sa_handler, show_signal_handler), M(struct sigaction, sa_mask, show_signals),
	{ "sa_flags", 0, sizeof(struct sigaction), show_action_flags, NULL, IS_INSIDE }, {}
};

/* VALUE is where a struct siginfo was read to. The sender of a signal follows, after a gap in programs of 64 bits. */
static __kprobes void show_code(struct kt_show *s, u64 value, u32 n)
{
	const struct siginfo *info = (const struct siginfo *)(unsigned long)value;
	const s32 *word = (const s32 *)info + (s->hit->compat ? 3 : 4);

	kt_show_name_in(s, kt_names_siginfo_code, (u64)(s64)info->si_code);
	if (info->si_code > 0)
		return;
	kt_show_text(s, ", si_pid=");
	kt_show_int(s, (u64)(s64)word[0], n);
	show_unsigned(s, ", si_uid=", (u32)word[1]);
}

static const struct member siginfo_members[] = {
	M(struct siginfo, si_signo, kt_show_signal), { "si_code", 0, 32, show_code, NULL, IS_INSIDE }, {}
};
static const struct member stack_members[] = {
	M(stack_t, ss_sp, kt_show_hex), FLAGS_AT(stack_t, ss_flags, stack_flags), M(stack_t, ss_size, kt_show_unsigned), {}
};
static const struct member clone_args_members[] = {
	FLAGS_AT(struct clone_args, flags, clone_flags), M(struct clone_args, exit_signal, kt_show_signal),
	M(struct clone_args, stack, kt_show_hex), M(struct clone_args, stack_size, kt_show_hex), {}
};

SHOW(sigset, a_sigset, .size = sizeof(u64))
SHOW(sigaction, sigaction_members, .size = sizeof(struct sigaction), .longs = true)
SHOW(siginfo, siginfo_members, .size = 32, .more = true)
SHOW(stack, stack_members, .size = sizeof(stack_t), .longs = true)
SHOW(clone_args, clone_args_members, .size = CLONE_ARGS_SIZE_VER0)

/* ---- CPUs and semaphores ---- */
static const struct member sembuf_members[] = {
	M(struct sembuf, sem_num, kt_show_unsigned), M(struct sembuf, sem_op, kt_show_int),
	FLAGS_AT(struct sembuf, sem_flg, ipc_flags), {}
};

SHOW(sembufs, sembuf_members, .size = sizeof(struct sembuf), .list = COUNTED)

/* A set of CPUs by number, of the first 64. */
__kprobes void kt_show_cpu_mask(struct kt_show *s, u64 value, u32 n)
{
	u32 size = (u32)min_t(u64, kt_hit_argument(s->hit, n - 1), sizeof(u64));
	u64 mask = 0;
	bool any = false;

	if (s->hit->compat || kt_read_user(s->c, &mask, value, size)) {
		kt_show_address(s, value);
		return;
	}
	kt_show_text(s, "[");
	for (u32 i = 0; i < 64; i++) {
		if (!(mask >> i & 1))
			continue;
		show_unsigned(s, any ? " " : "", i);
		any = true;
	}
	kt_show_text(s, "]");
}

#undef NAMES
#undef AT
#undef M
#undef FLAGS_AT
#undef ALONE
#undef SHOW
