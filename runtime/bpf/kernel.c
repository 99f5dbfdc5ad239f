/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runtime/bpf/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/arena.h"

static int bpf(int command, union bpf_attr *attr)
{
	long ret = syscall(SYS_bpf, command, attr, sizeof(*attr));

	return ret < 0 ? -errno : (int)ret;
}

static kt_u64 pointer(const void *p)
{
	return (kt_u64)(unsigned long)p;
}

/* A name of the kernel's objects: letters, digits and underscores. */
static void set_name(char *to, size_t size, const char *from)
{
	size_t n = 0;

	for (; *from && n + 1 < size; from++)
		to[n++] = (*from >= 'a' && *from <= 'z') || (*from >= 'A' && *from <= 'Z') || (*from >= '0' && *from <= '9') ? *from : '_';
}

kt_u32 kernel_cpus(void)
{
	FILE *f = fopen("/sys/devices/system/cpu/possible", "re");
	char line[256] = "";
	const char *last = line;

	/* "0-3,8-11": numbers go up to the last one */
	if (f && fgets(line, sizeof(line), f))
		while (strpbrk(last, "-,"))
			last = strpbrk(last, "-,") + 1;
	if (f)
		fclose(f);
	return *last ? (kt_u32)strtoul(last, NULL, 10) + 1 : (kt_u32)sysconf(_SC_NPROCESSORS_CONF);
}

/* ---- maps ---- */
int kernel_map_create(enum image_map_kind kind, const char *name, kt_u32 key_size, kt_u32 value_size, kt_u32 entries, int mapped, int frozen)
{
	static const kt_u32 types[] = { /* IMAGE_NO_MAP has none */
		[IMAGE_VALUE] = BPF_MAP_TYPE_ARRAY, [IMAGE_HASH] = BPF_MAP_TYPE_HASH,
		[IMAGE_CPU_HASH] = BPF_MAP_TYPE_PERCPU_HASH, [IMAGE_RING] = BPF_MAP_TYPE_RINGBUF,
	};
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = types[kind];
	attr.key_size = key_size;
	attr.value_size = value_size;
	attr.max_entries = entries;
	attr.map_flags = (mapped ? BPF_F_MMAPABLE : 0) | (frozen ? BPF_F_RDONLY_PROG : 0);
	set_name(attr.map_name, sizeof(attr.map_name), name);
	return bpf(BPF_MAP_CREATE, &attr);
}

kt_u64 kernel_map_bytes(enum image_map_kind kind, kt_u32 key_size, kt_u32 value_size, kt_u32 entries)
{
	enum { HEAD = 64 };
	kt_u64 value = (value_size + 7ull) & ~7ull;

	return entries * (HEAD + (key_size + 7ull) / 8 * 8 + (kind == IMAGE_CPU_HASH ? value * kernel_cpus() : value));
}

kt_u64 kernel_memory(void)
{
	FILE *f = fopen("/proc/meminfo", "re");
	unsigned long long kb = ~0ull >> 10;
	char line[128];

	while (f && fgets(line, sizeof(line), f) && sscanf(line, "MemAvailable: %llu", &kb) != 1)
		;
	if (f)
		fclose(f);
	return kb << 10;
}

int kernel_map_freeze(int fd)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (kt_u32)fd;
	return bpf(BPF_MAP_FREEZE, &attr);
}

static int element(int command, int fd, const void *key, const void *value)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (kt_u32)fd;
	attr.key = pointer(key);
	attr.value = pointer(value);
	return bpf(command, &attr);
}

int kernel_map_lookup(int fd, const void *key, void *value) { return element(BPF_MAP_LOOKUP_ELEM, fd, key, value); }
int kernel_map_update(int fd, const void *key, const void *value) { return element(BPF_MAP_UPDATE_ELEM, fd, key, value); }
int kernel_map_delete(int fd, const void *key) { return element(BPF_MAP_DELETE_ELEM, fd, key, NULL); }
int kernel_map_next(int fd, const void *key, void *next) { return element(BPF_MAP_GET_NEXT_KEY, fd, key, next); }

/* ---- functions ---- */
static int is_call(const struct bpf_instruction *i)
{
	return i->code == (BPF_JMP | BPF_CALL) && bpf_source(i) == BPF_CALL_FUNCTION;
}

static int is_callback(const struct bpf_instruction *i)
{
	return i->code == (BPF_LD | BPF_IMM | BPF_DW) && bpf_source(i) == BPF_FUNCTION;
}

/* Loads types with which a function of a program may be called by bpf_loop(): it must be said to be static. A descriptor. */
static int load_types(void)
{
	enum { INT = 1, PROTOTYPE = 2, KIND = 24, KIND_INT = 1, KIND_FUNC = 12, KIND_PROTOTYPE = 13, SIGNED = 1 << 24 };
	static const struct {
		struct {
			kt_u16 magic;
			kt_u8 version, flags;
			kt_u32 size, types_at, types_size, names_at, names_size;
		} head;
		kt_u32 types[4 + 3 + 3];
		char names[12];
	} btf = {
		{ 0xeb9f, 1, 0, sizeof(btf.head), 0, sizeof(btf.types), sizeof(btf.types), sizeof(btf.names) },
		{ 1, KIND_INT << KIND, 4, SIGNED | 32, 0, KIND_PROTOTYPE << KIND, INT, 5, KIND_FUNC << KIND, PROTOTYPE },
		"\0int\0part",
	};
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.btf = pointer(&btf);
	attr.btf_size = sizeof(btf);
	return bpf(BPF_BTF_LOAD, &attr);
}

/* Where the functions of a program begin and of which type they are: *RET_N, in order. NULL: it is one function. */
static struct bpf_func_info *functions(const struct bpf_instruction *code, kt_u32 n, kt_u32 *ret_n)
{
	enum { FUNCTION = 3 };
	kt_u8 *begins = xmalloc(n);
	struct bpf_func_info *list;
	kt_u32 n_functions = 1;

	memset(begins, 0, n);
	for (kt_u32 i = 0; i < n; i++)
		if (is_call(&code[i]) || is_callback(&code[i])) {
			kt_u8 *to = begins + i + 1 + code[i].number;

			n_functions += !*to;
			*to = 1;
		}
	list = n_functions > 1 ? xmalloc(n_functions * sizeof(*list)) : NULL;
	*ret_n = 0;
	for (kt_u32 i = 0; list && i < n; i++)
		if (!i || begins[i])
			list[(*ret_n)++] = (struct bpf_func_info){ i, FUNCTION };
	free(begins);
	return list;
}

/* ---- programs ---- */
/* TYPE: of the kernel's. The rest of ATTR may be set already. */
static int load_program(union bpf_attr *attr, kt_u32 type, const char *name, const struct bpf_instruction *code, kt_u32 n)
{
	kt_u32 n_functions;
	struct bpf_func_info *list = functions(code, n, &n_functions);
	int types = list ? load_types() : -1, ret;

	attr->prog_type = type;
	attr->insns = pointer(code);
	attr->insn_cnt = n;
	attr->license = pointer("GPL");
	set_name(attr->prog_name, sizeof(attr->prog_name), name);
	if (types >= 0) { /* where there are none, the kernel says so of a loop */
		attr->prog_btf_fd = (kt_u32)types;
		attr->func_info = pointer(list);
		attr->func_info_cnt = n_functions;
		attr->func_info_rec_size = sizeof(*list);
	}
	ret = bpf(BPF_PROG_LOAD, attr);
	if (types >= 0)
		close(types);
	free(list);
	return ret;
}

int kernel_program_load(const struct image_program *p, const char *name, const struct bpf_instruction *code, kt_u32 n, char *log, kt_u32 size)
{
	static const kt_u32 types[] = {
		[IMAGE_KPROBE] = BPF_PROG_TYPE_KPROBE, [IMAGE_FENTRY] = BPF_PROG_TYPE_TRACING, [IMAGE_FEXIT] = BPF_PROG_TYPE_TRACING,
		[IMAGE_RAW_TP] = BPF_PROG_TYPE_RAW_TRACEPOINT, [IMAGE_UPROBE] = BPF_PROG_TYPE_KPROBE, [IMAGE_PERF] = BPF_PROG_TYPE_PERF_EVENT,
	};
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.log_buf = pointer(log);
	attr.log_size = size;
	attr.log_level = size ? 1 : 0;
	if (p->sleepable)
		attr.prog_flags = BPF_F_SLEEPABLE;
	if (p->kind == IMAGE_FENTRY || p->kind == IMAGE_FEXIT) {
		attr.expected_attach_type = p->kind == IMAGE_FENTRY ? BPF_TRACE_FENTRY : BPF_TRACE_FEXIT;
		attr.attach_btf_id = p->btf_id;
	}
	return load_program(&attr, types[p->kind], name, code, n);
}

/* ---- what it missed ---- */
static int object_info(int fd, void *info, kt_u32 *size)
{
	union bpf_attr attr;
	int err;

	memset(&attr, 0, sizeof(attr));
	memset(info, 0, *size);
	attr.info.bpf_fd = (kt_u32)fd;
	attr.info.info_len = *size;
	attr.info.info = pointer(info);
	err = bpf(BPF_OBJ_GET_INFO_BY_FD, &attr);
	*size = attr.info.info_len;
	return err;
}

kt_u64 kernel_program_missed(int program)
{
	struct bpf_prog_info info;
	kt_u32 size = sizeof(info);

	return object_info(program, &info, &size) ? 0 : info.recursion_misses;
}

bool kernel_place_missed(int place, kt_u64 *ret)
{
	/* struct bpf_link_info, of which our headers may lack the end: of links of perf events, since 6.7. */
	enum { KPROBE = 3, KRETPROBE = 4 };
	struct {
		kt_u32 type, id, prog_id, pad, event, pad_too;
		kt_u64 name;
		kt_u32 name_len, offset;
		kt_u64 address, missed, rest[16];
	} info;
	kt_u32 size = sizeof(info);

	if (object_info(place, &info, &size) || size < offsetof(typeof(info), rest) || (info.event != KPROBE && info.event != KRETPROBE))
		return false;
	*ret = info.missed;
	return true;
}

/* ---- places ---- */
static int read_number(const char *path, const char *format)
{
	FILE *f = fopen(path, "re");
	int n = -ENOENT;

	if (f && fscanf(f, format, &n) != 1)
		n = -EINVAL;
	if (f)
		fclose(f);
	return n;
}

/* Lets the perf event FD run the program, which finds COOKIE. The descriptor that is returned holds the event. */
static int link_event(int program, int fd, kt_u64 cookie)
{
	union bpf_attr attr;
	int link;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = (kt_u32)program;
	attr.link_create.target_fd = (kt_u32)fd;
	attr.link_create.attach_type = BPF_PERF_EVENT;
	attr.link_create.perf_event.bpf_cookie = cookie;
	link = bpf(BPF_LINK_CREATE, &attr);
	close(fd);
	return link;
}

int kernel_attach_kprobe(int program, const char *symbol, kt_u64 offset, int at_return)
{
	struct perf_event_attr attr;
	int type = read_number("/sys/bus/event_source/devices/kprobe/type", "%d"), bit, fd;

	if (type < 0)
		return type;
	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = (kt_u32)type;
	if (at_return) {
		bit = read_number("/sys/bus/event_source/devices/kprobe/format/retprobe", "config:%d");
		attr.config = 1ull << (bit > 0 ? bit : 0);
	}
	attr.kprobe_func = pointer(symbol);
	attr.probe_offset = offset; /* or the address, without a symbol */
	fd = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : link_event(program, fd, 0);
}

int kernel_attach_tracepoint(int program, const char *name)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.name = pointer(name);
	attr.raw_tracepoint.prog_fd = (kt_u32)program;
	return bpf(BPF_RAW_TRACEPOINT_OPEN, &attr);
}

/* ---- programs of files ---- */
/* Does the file hold what it held when the script was compiled? A breakpoint in the middle of an instruction would change what it does. */
static int check_code(const char *path, const struct image_row *row)
{
	kt_u64 code = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = 0;

	if (fd < 0)
		return -errno;
	if (pread(fd, &code, row->code_size, (off_t)row->address) != (ssize_t)row->code_size)
		err = errno ? -errno : -ESTALE;
	close(fd);
	return err ? err : code == row->code ? 0 : -ESTALE;
}

/* Sets the bits of a configuration word that /sys names: "config:0" or "config:32-63". */
static int set_field(__u64 *config, const char *name, kt_u64 value)
{
	char path[128];
	int bit;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/uprobe/format/%s", name);
	bit = read_number(path, "config:%d");
	if (bit < 0)
		return bit;
	*config |= value << bit;
	return 0;
}

int kernel_attach_uprobe(int program, const char *path, const struct image_row *row)
{
	struct perf_event_attr attr;
	int type = read_number("/sys/bus/event_source/devices/uprobe/type", "%d"), err = check_code(path, row), fd;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = (kt_u32)type;
	attr.uprobe_path = pointer(path);
	attr.probe_offset = row->address;
	if (!err && row->kind == KT_UPROBE_RETURN)
		err = set_field(&attr.config, "retprobe", 1);
	if (!err && row->semaphore)
		err = set_field(&attr.config, "ref_ctr_offset", row->semaphore);
	if (type < 0 || err)
		return type < 0 ? type : err;
	fd = (int)syscall(SYS_perf_event_open, &attr, row->pid ? row->pid : -1, row->pid ? -1 : 0, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : link_event(program, fd, row->linked);
}

int kernel_attach_perf(int program, const struct image_row *row, kt_u32 cpu)
{
	struct perf_event_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = row->kind;
	attr.config = row->address;
	attr.freq = row->rate != 0;
	attr.sample_period = row->rate ? row->rate : row->interval; /* in the same place as sample_freq */
	fd = (int)syscall(SYS_perf_event_open, &attr, -1, (int)cpu, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : link_event(program, fd, 0);
}

/* ---- events ---- */
/* Opens the file NAME of an event. */
static FILE *open_event(const char *group, const char *event, const char *name)
{
	static const char *const roots[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	char path[256];
	FILE *f = NULL;

	errno = ENOENT;
	for (size_t i = 0; !f && errno == ENOENT && i < sizeof(roots) / sizeof(roots[0]); i++) {
		snprintf(path, sizeof(path), "%s/events/%s/%s/%s", roots[i], group, event, name);
		f = fopen(path, "re");
	}
	return f;
}

int kernel_event_field(const char *group, const char *name, const char *field)
{
	FILE *f = open_event(group, name, "format");
	char line[256], wanted[64];
	int offset = -ENOENT;
	const char *at;

	if (!f)
		return -errno;
	snprintf(wanted, sizeof(wanted), " %s;\toffset:", field);
	while (offset < 0 && fgets(line, sizeof(line), f))
		if ((at = strstr(line, wanted)))
			offset = atoi(at + strlen(wanted));
	fclose(f);
	return offset;
}

int kernel_attach_event(const char *group, const char *name, const struct bpf_instruction *code, kt_u32 n)
{
	FILE *f = open_event(group, name, "id");
	struct perf_event_attr event;
	union bpf_attr attr;
	int id, program, fd;

	if (!f)
		return -errno;
	if (fscanf(f, "%d", &id) != 1)
		id = 0;
	fclose(f);
	memset(&attr, 0, sizeof(attr));
	program = load_program(&attr, BPF_PROG_TYPE_TRACEPOINT, name, code, n);
	if (program < 0)
		return program;
	memset(&event, 0, sizeof(event));
	event.size = sizeof(event);
	event.type = PERF_TYPE_TRACEPOINT;
	event.config = (kt_u64)id;
	fd = (int)syscall(SYS_perf_event_open, &event, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	fd = fd < 0 ? -errno : link_event(program, fd, 0);
	close(program);
	return fd;
}
