/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a session has in the kernel: its maps, its programs, and the places where they are attached. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/bpf-rules.h"
#include "lib/diag.h"
#include "lib/process.h"
#include "lib/vec.h"
#include "runtime/bpf/kernel.h"
#include "runtime/bpf/refusal.h"
#include "runtime/bpf/state.h"

bool check_rights(const struct bpf_session *s)
{
	const struct image_program *programs = image_part(&s->image, IMAGE_PROGRAMS);
	const char *lacking;
	unsigned needs = 0;

	for (kt_u32 i = 0; i < image_count(&s->image, IMAGE_PROGRAMS); i++)
		needs |= programs[i].kind == IMAGE_UPROBE ? BPF_NEEDS_UPROBES :
			 programs[i].kind == IMAGE_COLD || programs[i].kind == IMAGE_RAW_TP ? 0 : BPF_NEEDS_EVENTS;
	lacking = bpf_rules_lacking(process_capabilities(), needs, "");
	return !lacking || error(nowhere, DIAG_RUN, "the BPF programs of this script need root (the capability %s)", lacking);
}

/* Arrays may take half of the memory: the kernel would kill programs for what it lacks. */
static bool check_memory(const struct bpf_session *s)
{
	const struct image_map *maps = image_part(&s->image, IMAGE_MAPS), *largest = NULL;
	kt_u64 all = 0, most = 0, available = kernel_memory();

	for (kt_u32 i = MAP_ARRAYS; i < image_count(&s->image, IMAGE_MAPS); i++) {
		kt_u64 bytes;

		if (maps[i].kind == IMAGE_NO_MAP)
			continue;
		bytes = kernel_map_bytes((enum image_map_kind)maps[i].kind, maps[i].key_size, maps[i].value_size, maps[i].entries);
		all += bytes;
		if (bytes > most) {
			most = bytes;
			largest = &maps[i];
		}
	}
	if (!largest || all <= available / 2)
		return true;
	error(nowhere, DIAG_RUN, "the arrays take %llu MB of memory, of which %llu MB are available; the largest is '%s'", (unsigned long long)all >> 20,
	      (unsigned long long)available >> 20, image_text(&s->image, largest->name));
	note(nowhere, "-DMAXMAPENTRIES=%u, or 'global %s[%u]' in the script, makes it smaller", largest->entries / 10,
	     image_text(&s->image, largest->name), largest->entries / 10);
	return false;
}

/* Before 5.11 the kernel took maps and programs for memory that the process locks. */
static void allow_memory(void)
{
	const struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };

	setrlimit(RLIMIT_MEMLOCK, &all);
}

static bool create_maps(struct bpf_session *s)
{
	const struct image_map *maps = image_part(&s->image, IMAGE_MAPS);
	const struct image_settings *set = s->image.settings;
	kt_u32 cpus = s->store.n_cpus, zero = 0;
	int err;

	allow_memory();
	if ((kt_u64)cpus * (set->cpu_size + 64ull) > INT_MAX)
		return error(nowhere, DIAG_RUN, "the counters of this script take too much memory on %u CPUs", cpus);
	for (kt_u32 i = 0; i < image_count(&s->image, IMAGE_MAPS); i++) {
		kt_u32 size = maps[i].value_size, entries = maps[i].entries;

		if (i == MAP_STATE)
			size = image_count(&s->image, IMAGE_STATE) + cpus * set->cpu_size;
		else if (i == MAP_CONSTANTS)
			size = image_count(&s->image, IMAGE_CONSTANTS);
		else if (i == MAP_FRAMES)
			size = cpus * (FRAMES_HEAD + FRAMES_OF_CPU * set->frame_size);
		else if (i == MAP_RING)
			entries = RING_BYTES;
		else if (set->targets && i == set->targets && s->start.target)
			size = IMAGE_PROCESSES / 8;
		if (maps[i].kind == IMAGE_NO_MAP)
			continue;
		s->fds[i] = kernel_map_create((enum image_map_kind)maps[i].kind, image_text(&s->image, maps[i].name), maps[i].key_size, size, entries,
					      i == MAP_STATE || i == MAP_FRAMES || (set->targets && i == set->targets), i == MAP_CONSTANTS);
		if (s->fds[i] < 0)
			return bpf_refused(s->fds[i], "create the map '%s'", image_text(&s->image, maps[i].name));
	}
	err = kernel_map_update(s->fds[MAP_CONSTANTS], &zero, image_part(&s->image, IMAGE_CONSTANTS));
	if (!err)
		err = kernel_map_freeze(s->fds[MAP_CONSTANTS]);
	return !err || bpf_refused(err, "write the map of constants");
}

static bool map_ring(struct bpf_session *s)
{
	long page = sysconf(_SC_PAGESIZE);
	int fd = s->fds[MAP_RING];
	char *p;

	s->ring.size = RING_BYTES;
	p = mmap(NULL, (size_t)page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	s->ring.consumer = (unsigned long *)p;
	if (p == MAP_FAILED)
		return bpf_refused(-errno, "map the ring of records");
	p = mmap(NULL, (size_t)page + 2 * RING_BYTES, PROT_READ, MAP_SHARED, fd, page);
	if (p == MAP_FAILED)
		return bpf_refused(-errno, "map the ring of records");
	s->ring.producer = (unsigned long *)p;
	s->ring.data = p + page;
	return true;
}

bool make_maps(struct bpf_session *s)
{
	return check_memory(s) && create_maps(s) && map_ring(s);
}

static void patch(struct bpf_session *s, struct bpf_instruction *code, kt_u32 n)
{
	for (kt_u32 i = 0; i < n; i++) {
		struct bpf_instruction *in = &code[i];
		unsigned pseudo = bpf_source(in);
		kt_u64 number;

		if (in->code != (BPF_LD | BPF_IMM | BPF_DW))
			continue;
		if (pseudo == BPF_MAP || pseudo == BPF_MAP_VALUE) {
			in->number = s->fds[in->number];
		} else if (pseudo == BPF_KNOWN || pseudo == BPF_LINKED) {
			number = (kt_u64)(kt_u32)in[1].number << 32 | (kt_u32)in->number;
			number = pseudo == BPF_KNOWN ? known_value(s, (kt_u32)number) : number + s->slide;
			in->registers &= 15;
			in->number = (kt_s32)number;
			in[1].number = (kt_s32)(number >> 32);
		}
		i++;
	}
}

/* Loads the program I once more, for what the verifier says, and reports that. */
static bool refuse(const struct bpf_session *s, kt_u32 i, const struct bpf_instruction *code, int err, bool verbose)
{
	enum { FIRST = 1 << 20, MOST = 16 << 20 };
	const struct image_program *p = (const struct image_program *)image_part(&s->image, IMAGE_PROGRAMS) + i;
	const char *name = image_text(&s->image, p->name);
	_cleanup_free_ char *log = NULL;
	int again = -ENOSPC;

	for (kt_u32 size = FIRST; again == -ENOSPC && size <= MOST; size *= 16) {
		free(log);
		log = xmalloc(size);
		log[0] = 0;
		again = kernel_program_load(p, name, code, p->n, log, size);
	}
	if (again >= 0) /* another time it has what it lacked */
		close(again);
	return bpf_load_refused(&s->image, p, err, log, verbose);
}

bool load_programs(struct bpf_session *s, bool verbose)
{
	const struct image_program *programs = image_part(&s->image, IMAGE_PROGRAMS);
	const struct bpf_instruction *all = image_part(&s->image, IMAGE_CODE);

	for (kt_u32 i = 0; i < image_count(&s->image, IMAGE_PROGRAMS); i++) {
		const struct image_program *p = &programs[i];
		_cleanup_free_ struct bpf_instruction *code = NULL;

		if (p->kind == IMAGE_COLD)
			continue;
		code = xmalloc(p->n * sizeof(*code));
		memcpy(code, all + p->code, p->n * sizeof(*code));
		patch(s, code, p->n);
		s->programs[i] = kernel_program_load(p, image_text(&s->image, p->name), code, p->n, NULL, 0);
		if (s->programs[i] < 0)
			return refuse(s, i, code, s->programs[i], verbose);
	}
	return true;
}

/* ---- where the kernel lies ---- */
/* Does a program or a place have an address of the kernel? */
static bool has_addresses(const struct bpf_session *s)
{
	const struct bpf_instruction *code = image_part(&s->image, IMAGE_CODE);
	const struct image_row *rows = image_part(&s->image, IMAGE_ROWS);
	const struct image_probe *probes = image_part(&s->image, IMAGE_PROBES);
	const struct image_program *programs = image_part(&s->image, IMAGE_PROGRAMS);

	for (kt_u32 i = 0; i < image_count(&s->image, IMAGE_ROWS); i++)
		if (programs[probes[rows[i].probe].program].kind == IMAGE_KPROBE && rows[i].address)
			return true;
	for (kt_u32 i = 0; i < image_count(&s->image, IMAGE_CODE); i++)
		if (code[i].code == (BPF_LD | BPF_IMM | BPF_DW) && bpf_source(&code[i]) == BPF_LINKED)
			return true;
	return false;
}

/* The address of the kernel's symbol NAME; 0: it is hidden; -ENOENT: there is none. */
static kt_s64 symbol_address(const char *wanted)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	unsigned long long address;
	char name[256], type;
	kt_s64 found = -ENOENT;

	while (f && found == -ENOENT && fscanf(f, "%llx %c %255s%*[^\n]", &address, &type, name) == 3)
		if (!strcmp(name, wanted))
			found = (kt_s64)address;
	if (f)
		fclose(f);
	return found;
}

bool find_slide(struct bpf_session *s)
{
	const char *anchor = image_text(&s->image, s->image.settings->anchor);
	kt_s64 address;

	if (!*anchor || !has_addresses(s))
		return true;
	address = symbol_address(anchor);
	if (address == -ENOENT)
		return error(nowhere, DIAG_RUN, "/proc/kallsyms does not have '%s', by which addresses of the kernel are found", anchor);
	if (address) {
		s->slide = (kt_u64)address - s->image.settings->anchor_address;
		return true;
	}
	error(nowhere, DIAG_RUN, "the kernel hides where its functions are: /proc/kallsyms has zeroes");
	note(nowhere, "run it as root, or with the capability CAP_SYSLOG; where kernel.kptr_restrict is 2, also: sysctl kernel.kptr_restrict=1");
	return false;
}

/* Attaches the event of ROW on all CPUs that run. Returns the descriptor of the last; the others are kept, too. */
static int attach_perf(struct bpf_session *s, int program, kt_u32 row)
{
	const struct image_row *rows = image_part(&s->image, IMAGE_ROWS);
	int last = -ENODEV, fd;

	for (kt_u32 cpu = 0; cpu < s->store.n_cpus; cpu++) {
		fd = kernel_attach_perf(program, &rows[row], cpu);
		if (fd == -ENODEV) /* it does not run */
			continue;
		if (fd < 0) {
			if (last >= 0)
				close(last);
			return fd;
		}
		if (last >= 0)
			*vec_add(s->events, s->n_events) = last;
		last = fd;
	}
	return last;
}

/* Do the rights of this process, or lockdown, forbid what was refused? Then they forbid all. */
static bool is_forbidden(int err)
{
	return err == -EPERM || err == -EACCES;
}

bool attach(struct bpf_session *s)
{
	const struct image_row *rows = image_part(&s->image, IMAGE_ROWS);
	const struct image_probe *probes = image_part(&s->image, IMAGE_PROBES);
	const struct image_program *programs = image_part(&s->image, IMAGE_PROGRAMS);

	for (kt_u32 i = 0; i < image_count(&s->image, IMAGE_ROWS); i++) {
		const struct image_program *p = &programs[probes[rows[i].probe].program];
		int fd = s->programs[probes[rows[i].probe].program];
		const char *symbol = image_text(&s->image, rows[i].symbol);
		kt_u64 address = rows[i].address;

		if (p->kind == IMAGE_KPROBE)
			s->places[i] = kernel_attach_kprobe(fd, address ? NULL : symbol, address ? address + s->slide : rows[i].offset,
							    rows[i].kind == KT_KPROBE_RETURN);
		else if (p->kind == IMAGE_RAW_TP)
			s->places[i] = kernel_attach_tracepoint(fd, symbol);
		else if (p->kind == IMAGE_PERF)
			s->places[i] = attach_perf(s, fd, i);
		else if (p->kind == IMAGE_UPROBE)
			s->places[i] = kernel_attach_uprobe(fd, symbol, &rows[i]);
		else
			continue;
		s->armed += s->places[i] >= 0;
		if (is_forbidden(s->places[i]))
			return bpf_refused(s->places[i], "attach the handler of %s", image_text(&s->image, probes[rows[i].probe].pp));
		if (s->places[i] < 0) {
			s->errors[rows[i].probe] = s->places[i];
			s->refused++;
		}
	}
	return true;
}

/* Asks the kernel what it missed at the place of ROW. */
static void count_missed(struct bpf_session *s, kt_u32 row)
{
	const struct image_row *r = (const struct image_row *)image_part(&s->image, IMAGE_ROWS) + row;
	const struct image_probe *probes = image_part(&s->image, IMAGE_PROBES);
	const struct image_program *programs = image_part(&s->image, IMAGE_PROGRAMS);
	struct missed *m = &s->missed[probes[r->probe].flags & KT_PROBE_ENTRY && r->probe ? r->probe - 1 : r->probe];
	kt_u64 missed;

	if (programs[probes[r->probe].program].kind != IMAGE_KPROBE || s->places[row] < 0)
		return;
	if (!kernel_place_missed(s->places[row], &missed))
		s->uncounted = true;
	else if (r->kind == KT_KPROBE_RETURN)
		m->returns += missed;
	else
		m->kprobe += missed;
}

/* Of a program of several probes it is not known which of them missed the hits: they are those of the first. */
static void count_recursion(struct bpf_session *s)
{
	const struct image_probe *probes = image_part(&s->image, IMAGE_PROBES);
	kt_u32 n = image_count(&s->image, IMAGE_PROBES);

	for (kt_u32 i = 0; i < image_count(&s->image, IMAGE_PROGRAMS); i++) {
		kt_u32 probe = 0;

		if (s->programs[i] < 0)
			continue;
		while (probe < n && probes[probe].program != i)
			probe++;
		if (probe == n)
			continue;
		probe -= probes[probe].flags & KT_PROBE_ENTRY && probe;
		s->missed[probe].recursion += kernel_program_missed(s->programs[i]);
	}
	for (kt_u32 i = 0; i < s->n_events; i++)
		close(s->events[i]);
	s->n_events = 0;
}

void detach(struct bpf_session *s)
{
	bool attached = false;

	for (kt_u32 i = 0; i < image_count(&s->image, IMAGE_ROWS); i++) {
		if (s->places[i] < 0)
			continue;
		attached = true;
		count_missed(s, i);
		close(s->places[i]);
		s->places[i] = -1;
	}
	if (attached)
		count_recursion(s);
}
