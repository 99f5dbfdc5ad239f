/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arguments of system calls as text: a function for each way in the KIND() rows of syscalls.def.
 *
 * An argument that the call fills in is shown at its return, if it succeeded, and as an address before. Unreadable memory is shown as
 * its address, and so are structures of the 32-bit ABI that are laid out differently there. Numbers are C's, structures have
 * their members by name as in {tv_sec=1, tv_nsec=0}.
 */
#include <linux/kernel.h>
#include <linux/signal.h>
#include <linux/stat.h>
#include <linux/string.h>

#include "runtime/kit/memory.h"
#include "runtime/kit/syscall.h"

enum {
	BYTES_MAX = 128, /* of data that is shown */
	STRINGS_MAX = 1000,
};

#define NAMES(table) extern const struct kt_name kt_names_##table[]
NAMES(signals);
NAMES(fd_flags);
NAMES(ip_protocol);
NAMES(netlink_protocol);
NAMES(tcp_option);
NAMES(file_type);
NAMES(ioprio_class);

/* ---- text ---- */
__kprobes void kt_show_text(struct kt_show *s, const char *text)
{
	while (*text) {
		if (unlikely(s->len + 1 >= s->size)) {
			if (!s->cut && !s->trial)
				kt_string_cut();
			s->cut = true;
			break;
		}
		s->to[s->len++] = *text++;
	}
	s->to[s->len] = 0;
}

static __printf(2, 3) __kprobes void show_format(struct kt_show *s, const char *format, ...)
{
	char text[24];
	va_list args;

	va_start(args, format);
	vscnprintf(text, sizeof(text), format, args);
	va_end(args);
	kt_show_text(s, text);
}

__kprobes void kt_show_unsigned(struct kt_show *s, u64 value, u32 n)
{
	show_format(s, "%llu", value);
}

__kprobes void kt_show_int(struct kt_show *s, u64 value, u32 n)
{
	show_format(s, "%lld", (s64)value);
}

__kprobes void kt_show_hex(struct kt_show *s, u64 value, u32 n)
{
	show_format(s, "0x%llx", value);
}

__kprobes void kt_show_address(struct kt_show *s, u64 address)
{
	if (address)
		kt_show_hex(s, address, 0);
	else
		kt_show_text(s, "NULL");
}

__kprobes void kt_show_octal(struct kt_show *s, u64 value, u32 n)
{
	show_format(s, "%#llo", value);
}

__kprobes void kt_show_skip(struct kt_show *s, u64 value, u32 n)
{
}

__kprobes void kt_show_argument(struct kt_show *s, u32 n)
{
	const struct kt_kind *kind = s->hit->call && n < KT_CALL_ARGUMENTS ? s->hit->call->kinds[n] : NULL;
	u64 value = kt_hit_argument(s->hit, n);

	if (kind && kind->width == KT_WIDTH_o && !kt_show_filled(s, value))
		kt_show_address(s, value);
	else if (kind)
		kind->show(s, value, n);
}

__kprobes bool kt_show_bytes(struct kt_show *s, const char *bytes, u32 n)
{
	u32 start = s->len, i;

	kt_show_text(s, "\"");
	for (i = 0; i < n && s->len - start < s->share; i++) {
		static const char plain[] = "\n\t\r\v\f\"\\", letters[] = "ntrvf\"\\";
		const char *p = bytes[i] ? strchr(plain, bytes[i]) : NULL;
		u8 b = (u8)bytes[i];
		char out[5] = { '\\', (char)('0' + (b >> 6)), (char)('0' + (b >> 3 & 7)), (char)('0' + (b & 7)) };

		if (p) {
			out[1] = letters[p - plain];
			out[2] = 0;
		} else if (b >= ' ' && b < 127) {
			out[0] = (char)b;
			out[1] = 0;
		}
		kt_show_text(s, out);
	}
	kt_show_text(s, "\"");
	return i == n;
}

/* ---- names ---- */
static __kprobes const char *find_name(const struct kt_name *names, u32 value)
{
	for (; names->name; names++)
		if (names->value == value)
			return names->name;
	return NULL;
}

__kprobes void kt_show_name_in(struct kt_show *s, const struct kt_name *names, u64 value)
{
	bool narrow = value == (u32)value || (s64)value == (s32)value;
	const char *name = narrow ? find_name(names, (u32)value) : NULL;

	if (name)
		kt_show_text(s, name);
	else if ((s64)value > 0xffff)
		kt_show_hex(s, value, 0);
	else
		kt_show_int(s, value, 0);
}

/* More flags after what is shown already, if ANY. */
__kprobes void kt_show_flags_in(struct kt_show *s, const struct kt_name *names, u64 value, bool any)
{
	u64 left = value;

	for (; names->name; names++) {
		if (!names->value && !value && !any) {
			kt_show_text(s, names->name);
			return;
		}
		if (!names->value || (left & names->value) != names->value)
			continue;
		left &= ~(u64)names->value;
		kt_show_text(s, any ? "|" : "");
		kt_show_text(s, names->name);
		any = true;
	}
	if (left) {
		kt_show_text(s, any ? "|" : "");
		kt_show_hex(s, left, 0);
	} else if (!any) {
		kt_show_text(s, "0");
	}
}

static __kprobes const struct kt_name *names_of(const struct kt_show *s, u32 n)
{
	return s->hit->call->kinds[n]->names;
}

__kprobes void kt_show_names(struct kt_show *s, u64 value, u32 n)
{
	kt_show_name_in(s, names_of(s, n), value);
}

/* Flags of an int have no sign. */
__kprobes void kt_show_flags(struct kt_show *s, u64 value, u32 n)
{
	u8 width = s->hit->call->kinds[n]->width;

	kt_show_flags_in(s, names_of(s, n), width == KT_WIDTH_l || width == KT_WIDTH_w ? value : (u32)value, false);
}

__kprobes void kt_show_open_flags_in(struct kt_show *s, const struct kt_name *names, u64 value)
{
	static const char *const access[] = { "O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE" };

	kt_show_text(s, access[value & O_ACCMODE]);
	if (value & ~(u64)O_ACCMODE)
		kt_show_flags_in(s, names, value & ~(u64)O_ACCMODE, true);
}

__kprobes void kt_show_open_flags(struct kt_show *s, u64 value, u32 n)
{
	kt_show_open_flags_in(s, names_of(s, n), (u32)value);
}

__kprobes void kt_show_map_flags(struct kt_show *s, u64 value, u32 n)
{
	static const char *const types[] = { "MAP_FILE", "MAP_SHARED", "MAP_PRIVATE", "MAP_SHARED_VALIDATE" };

	if ((value & 0xf) < ARRAY_SIZE(types))
		kt_show_text(s, types[value & 0xf]);
	else
		kt_show_hex(s, value & 0xf, n);
	if (value & ~0xfull)
		kt_show_flags_in(s, names_of(s, n), value & ~0xfull, true);
}

__kprobes void kt_show_mode(struct kt_show *s, u32 mode)
{
	kt_show_name_in(s, kt_names_file_type, mode & S_IFMT);
	kt_show_text(s, "|");
	kt_show_octal(s, mode & ~(u32)S_IFMT, 0);
}

__kprobes void kt_show_node_mode(struct kt_show *s, u64 value, u32 n)
{
	if (value & S_IFMT)
		kt_show_mode(s, (u32)value);
	else
		kt_show_octal(s, value, n);
}

/* As makedev() of the C library is written; the ABI has 12 bits of major and 20 of minor number. */
__kprobes void kt_show_device(struct kt_show *s, u64 value, u32 n)
{
	show_format(s, "makedev(0x%llx, ", (value >> 8) & 0xfff);
	show_format(s, "0x%llx)", (value & 0xff) | ((value >> 12) & 0xfff00));
}

__kprobes void kt_show_clone_flags(struct kt_show *s, u64 value, u32 n)
{
	u64 flags = value & ~(u64)CSIGNAL;

	if (flags)
		kt_show_flags_in(s, names_of(s, n), flags, false);
	if (!(value & CSIGNAL)) {
		kt_show_text(s, flags ? "" : "0");
		return;
	}
	kt_show_text(s, flags ? "|" : "");
	kt_show_signal(s, value & CSIGNAL, n);
}

__kprobes void kt_show_futex_op(struct kt_show *s, u64 value, u32 n)
{
	enum { OF_PROCESS = 0x80, OF_REALTIME = 0x100 };
	u32 op = (u32)value & ~(u32)(OF_PROCESS | OF_REALTIME);
	const char *name = find_name(names_of(s, n), op);

	if (name)
		kt_show_text(s, name);
	else
		kt_show_hex(s, op, n);
	if (value & OF_PROCESS)
		kt_show_text(s, name ? "_PRIVATE" : "|FUTEX_PRIVATE_FLAG");
	kt_show_text(s, value & OF_REALTIME ? "|FUTEX_CLOCK_REALTIME" : "");
}

__kprobes void kt_show_socket_type(struct kt_show *s, u64 value, u32 n)
{
	enum { TYPES = 0xf };
	u32 flags = (u32)value & ~(u32)TYPES;
	NAMES(socket_flags);

	kt_show_name_in(s, names_of(s, n), value & TYPES);
	if (flags)
		kt_show_flags_in(s, kt_names_socket_flags, flags, true);
}

/* The upper 16 bits are an architecture, 0: this one. */
__kprobes void kt_show_kexec_flags(struct kt_show *s, u64 value, u32 n)
{
	u64 arch = value & 0xffff0000;
	NAMES(kexec_arch);

	if (arch)
		kt_show_name_in(s, kt_names_kexec_arch, arch);
	if (value & ~arch || !arch)
		kt_show_flags_in(s, names_of(s, n), value & ~arch, arch);
}

/* Of sysfs(1) the name of a file system, of sysfs(2) a number. */
__kprobes void kt_show_sysfs_arg(struct kt_show *s, u64 value, u32 n)
{
	u64 option = kt_hit_argument(s->hit, 0);

	if (option == 1)
		kt_show_string(s, value, n);
	else if (option == 2)
		kt_show_unsigned(s, value, n);
	else
		kt_show_hex(s, value, n);
}

enum { FAMILY_UNIX = 1, FAMILY_INET = 2, FAMILY_INET6 = 10, FAMILY_NETLINK = 16 };

__kprobes void kt_show_socket_protocol(struct kt_show *s, u64 value, u32 n)
{
	u64 family = kt_hit_argument(s->hit, 0);

	if (family == FAMILY_INET || family == FAMILY_INET6)
		kt_show_name_in(s, kt_names_ip_protocol, value);
	else if (family == FAMILY_NETLINK)
		kt_show_name_in(s, kt_names_netlink_protocol, value);
	else
		kt_show_int(s, value, n);
}

enum { LEVEL_SOCKET = 1, LEVEL_TCP = 6 };

__kprobes void kt_show_socket_option(struct kt_show *s, u64 value, u32 n)
{
	u64 level = kt_hit_argument(s->hit, n - 1);
	NAMES(socket_option);

	if (level == LEVEL_SOCKET)
		kt_show_name_in(s, kt_names_socket_option, value);
	else if (level == LEVEL_TCP)
		kt_show_name_in(s, kt_names_tcp_option, value);
	else
		kt_show_int(s, value, n);
}

__kprobes void kt_show_signal(struct kt_show *s, u64 value, u32 n)
{
	if (value >= 32 && value <= 64) {
		kt_show_text(s, value == 32 ? "SIGRTMIN" : "SIGRTMIN+");
		if (value > 32)
			kt_show_int(s, value - 32, n);
	} else {
		kt_show_name_in(s, kt_names_signals, value);
	}
}

__kprobes void kt_show_ipc_key(struct kt_show *s, u64 value, u32 n)
{
	if (!(u32)value)
		kt_show_text(s, "IPC_PRIVATE");
	else
		kt_show_hex(s, (u32)value, n);
}

__kprobes void kt_show_ipc_flags(struct kt_show *s, u64 value, u32 n)
{
	u64 flags = (u32)value & ~0777u;

	if (flags)
		kt_show_flags_in(s, names_of(s, n), flags, false);
	kt_show_text(s, flags ? "|" : "");
	kt_show_octal(s, value & 0777, n);
}

__kprobes void kt_show_ioprio(struct kt_show *s, u64 value, u32 n)
{
	kt_show_text(s, "IOPRIO_PRIO_VALUE(");
	kt_show_name_in(s, kt_names_ioprio_class, (u32)value >> 13);
	kt_show_text(s, ", ");
	kt_show_int(s, value & 0x1fff, n);
	kt_show_text(s, ")");
}

enum { COMMAND_DUPFD = 0, COMMAND_SETFD = 2, COMMAND_SETFL = 4, COMMAND_DUPFD_CLOEXEC = 1030 };

__kprobes void kt_show_fcntl_arg(struct kt_show *s, u64 value, u32 n)
{
	NAMES(open_flags);

	switch (kt_hit_argument(s->hit, n - 1)) {
	case COMMAND_SETFD:
		kt_show_flags_in(s, kt_names_fd_flags, (u32)value, false);
		break;
	case COMMAND_SETFL:
		kt_show_open_flags_in(s, kt_names_open_flags, (u32)value);
		break;
	case COMMAND_DUPFD:
	case COMMAND_DUPFD_CLOEXEC:
		kt_show_int(s, (u64)(s64)(s32)value, n);
		break;
	default:
		kt_show_hex(s, value, n);
	}
}

__kprobes void kt_show_mempolicy(struct kt_show *s, u64 value, u32 n)
{
	enum { FLAGS = 0xe000 };
	NAMES(mempolicy_flags);

	kt_show_name_in(s, names_of(s, n), (s64)value < 0 ? value : value & ~(u64)FLAGS);
	if ((s64)value >= 0 && value & FLAGS)
		kt_show_flags_in(s, kt_names_mempolicy_flags, value & FLAGS, true);
}

__kprobes void kt_show_quota_cmd(struct kt_show *s, u64 value, u32 n)
{
	NAMES(quota_type);

	kt_show_text(s, "QCMD(");
	kt_show_name_in(s, names_of(s, n), value >> 8);
	kt_show_text(s, ", ");
	kt_show_name_in(s, kt_names_quota_type, value & 0xff);
	kt_show_text(s, ")");
}

/* ---- strings and bytes ---- */
__kprobes void kt_show_string(struct kt_show *s, u64 value, u32 n)
{
	char text[BYTES_MAX * 4];
	size_t len;

	if (!value || !kt_user_string(s->c, text, sizeof(text), value, sizeof(text) - 1)) {
		kt_show_address(s, value);
		return;
	}
	len = strlen(text);
	if (!kt_show_bytes(s, text, (u32)len) || len == sizeof(text) - 1)
		kt_show_text(s, "...");
}

__kprobes void kt_show_data_at(struct kt_show *s, u64 address, u64 len)
{
	char bytes[BYTES_MAX];
	u32 some = (u32)min_t(u64, len, sizeof(bytes));

	if (!address) {
		kt_show_text(s, "NULL");
	} else if (some && kt_read_user(s->c, bytes, address, some)) {
		kt_show_hex(s, address, 0);
	} else if (!kt_show_bytes(s, bytes, some) || len > some) {
		kt_show_text(s, "...");
	}
}

/* The call has filled what it was given. */
__kprobes bool kt_show_filled(const struct kt_show *s, u64 address)
{
	return address && s->hit->at_exit && s->hit->result >= 0;
}

__kprobes void kt_show_data(struct kt_show *s, u64 value, u32 n)
{
	kt_show_data_at(s, value, kt_hit_argument(s->hit, n + 1));
}

__kprobes void kt_show_data_out(struct kt_show *s, u64 value, u32 n)
{
	/* Asked for the length alone, a call has written nothing. */
	if (kt_show_filled(s, value) && kt_hit_argument(s->hit, n + 1) >= (u64)s->hit->result)
		kt_show_data_at(s, value, (u64)s->hit->result);
	else
		kt_show_hex(s, value, n);
}

/* The N-th pointer or long of a list. */
static __kprobes bool read_address(const struct kt_show *s, u64 list, u32 n, u64 *ret)
{
	u32 size = s->hit->compat ? 4 : 8;

	*ret = 0;
	return !kt_read_user(s->c, ret, list + (u64)n * size, size);
}

__kprobes void kt_show_strings(struct kt_show *s, u64 value, u32 n)
{
	u32 start = s->len;
	u64 at;

	if (!value || !read_address(s, value, 0, &at)) {
		kt_show_hex(s, value, n);
		return;
	}
	kt_show_text(s, "[");
	for (u32 i = 0; read_address(s, value, i, &at) && at; i++) {
		kt_show_text(s, i ? ", " : "");
		if (i == STRINGS_MAX || s->len - start >= s->share || s->len + 1 >= s->size) {
			kt_show_text(s, "...");
			break;
		}
		kt_show_string(s, at, n);
	}
	kt_show_text(s, "]");
}

#undef NAMES
