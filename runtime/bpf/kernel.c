/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runtime/bpf/kernel.h"

#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

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
	static const kt_u32 types[] = {
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

/* ---- programs ---- */
int kernel_program_load(enum image_kind kind, const char *name, const struct bpf_instruction *code, kt_u32 n, kt_u32 btf_id, char *log, kt_u32 size)
{
	static const kt_u32 types[] = {
		[IMAGE_KPROBE] = BPF_PROG_TYPE_KPROBE, [IMAGE_FENTRY] = BPF_PROG_TYPE_TRACING, [IMAGE_FEXIT] = BPF_PROG_TYPE_TRACING,
		[IMAGE_RAW_TP] = BPF_PROG_TYPE_RAW_TRACEPOINT, [IMAGE_UPROBE] = BPF_PROG_TYPE_KPROBE, [IMAGE_PERF] = BPF_PROG_TYPE_PERF_EVENT,
	};
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = types[kind];
	attr.insns = pointer(code);
	attr.insn_cnt = n;
	attr.license = pointer("GPL");
	attr.log_buf = pointer(log);
	attr.log_size = size;
	attr.log_level = size ? 1 : 0;
	if (kind == IMAGE_FENTRY || kind == IMAGE_FEXIT) {
		attr.expected_attach_type = kind == IMAGE_FENTRY ? BPF_TRACE_FENTRY : BPF_TRACE_FEXIT;
		attr.attach_btf_id = btf_id;
	}
	set_name(attr.prog_name, sizeof(attr.prog_name), name);
	return bpf(BPF_PROG_LOAD, &attr);
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
	if (fd < 0)
		return -errno;
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, program) || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0)) {
		int err = -errno;

		close(fd);
		return err;
	}
	return fd;
}

int kernel_attach_tracepoint(int program, const char *name)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.name = pointer(name);
	attr.raw_tracepoint.prog_fd = (kt_u32)program;
	return bpf(BPF_RAW_TRACEPOINT_OPEN, &attr);
}
