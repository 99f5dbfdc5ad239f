/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzz target: what the loader reads from a module, which is chunks of records, and the texts that records refer to. The input begins
 * with a byte that tells what its end is: even, chunks as read() returns them; odd, records, of which chunks are made here. Two texts
 * stand between. Checked: records that are well formed come out once each, those of a level of a CPU in order.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/reader.h"
#include "runtime/loader/merge.h"
#include "runtime/loader/print.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CPUS = 3, TEXTS = 2, LIMIT = 4096 };

static const char *texts[TEXTS];

/* Commands of system() are not run. */
pid_t __wrap_fork(void);
pid_t __wrap_fork(void)
{
	errno = EAGAIN;
	return -1;
}

static int fake_ioctl(int fd, unsigned int request, void *arg)
{
	struct kt_text_request *r = arg;
	kt_u32 room = r->size;

	if (request != KT_IOC_TEXT || r->index >= TEXTS)
		return errno = ENOENT, -1;
	r->size = (kt_u32)strlen(texts[r->index]) + 1;
	if (r->size > room)
		return errno = ENOSPC, -1;
	memcpy((void *)(unsigned long)r->buffer, texts[r->index], r->size);
	return 0;
}

/* No stream of a level goes back in time. */
static void check_order(const struct merge *m, kt_u64 last[CPUS][KT_LEVELS])
{
	for (kt_u32 i = 0; i < m->n; i++)
		for (int level = 0; level < KT_LEVELS; level++) {
			if (m->cpus[i].levels[level].last < last[i][level])
				abort();
			last[i][level] = m->cpus[i].levels[level].last;
		}
}

static size_t print_all(struct merge *m, struct printer *p, bool all)
{
	kt_u64 last[CPUS][KT_LEVELS] = { 0 };
	const struct kt_record *rec;
	size_t n = 0;

	for (; (rec = merge_next(m, all)); n++) {
		check_order(m, last);
		print_record(p, rec);
	}
	return n;
}

/* The next record of the input, as a chunk of CPU's; its size. */
static size_t make_chunk(struct reader *in, char *chunk)
{
	struct kt_chunk c = { .cpu = (kt_u32)read_fixed(in, 1) % CPUS, .horizon = read_fixed(in, 1) };
	kt_u8 kind = (kt_u8)read_fixed(in, 1), number = (kt_u8)read_fixed(in, 1) % 4;
	struct kt_record r = { .kind = kind % 16 % (KT_REC_OBJECT + 2), .level = kind / 16 % KT_LEVELS, .number = number,
			       .time = read_fixed(in, 1) };
	struct reader payload = read_part(in, read_fixed(in, 1));
	size_t len = (size_t)(payload.end - payload.at);

	c.size = r.size = (kt_u32)(sizeof(r) + (len + 7) / 8 * 8);
	memcpy(chunk, &c, sizeof(c));
	memcpy(chunk + sizeof(c), &r, sizeof(r));
	memset(chunk + sizeof(c) + sizeof(r), 0, c.size - sizeof(r));
	memcpy(chunk + sizeof(c) + sizeof(r), payload.at, len);
	return sizeof(c) + c.size;
}

static void run_records(struct reader *in, struct merge *m, struct printer *p)
{
	size_t put = 0, printed = 0;
	char chunk[512];

	while (in->at < in->end) {
		size_t n = make_chunk(in, chunk);
		struct kt_record r;

		memcpy(&r, chunk + sizeof(struct kt_chunk), sizeof(r));
		put += r.kind != KT_REC_PAD;
		if (merge_add(m, chunk, n))
			abort();
		printed += print_all(m, p, false);
	}
	printed += print_all(m, p, true);
	if (put != printed || m->waiting)
		abort();
}

/* In two reads. */
static void run_chunks(struct reader *in, struct merge *m, struct printer *p)
{
	struct reader first = read_part(in, read_fixed(in, 1) * 8);

	merge_add(m, (const char *)first.at, (size_t)(first.end - first.at));
	print_all(m, p, false);
	merge_add(m, (const char *)in->at, (size_t)(in->end - in->at));
	print_all(m, p, true);
}

static void drop_line(void *to, const char *line, size_t len)
{
	(void)to, (void)line, (void)len;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct loader_sys sys = { .root = "/none", .ioctl = fake_ioctl };
	/* As initialized, which takes four system calls. Each refers to the others, so that all stay where they are. */
	static struct output output, new_output;
	static struct printer p, new_printer;
	static struct control c;
	struct reader in = { data, data + size, false };
	struct merge m;
	kt_u64 flags = read_fixed(&in, 1);
	bool records = flags & 1;

	if (!new_printer.output) {
		output_init(&new_output, open("/dev/null", O_WRONLY | O_CLOEXEC));
		print_init(&p, &c, &output);
		p.no_warnings = true;
		new_printer = p;
	}
	for (int i = 0; i < TEXTS; i++)
		texts[i] = read_string(&in);
	c = (struct control){ .vehicle = &module_vehicle, .of = &c, .sys = &sys, .fd = -1 };
	for (int i = 0; i < KT_TEXT_KINDS; i++)
		c.n_texts[i] = TEXTS + 1;
	output = new_output;
	p = new_printer;
	if (flags & 2) {
		events_init(&p.events, drop_line, NULL);
		p.events.on = true;
		stamp_init(&p.events.stamp, STAMP_WALL);
	}
	merge_init(&m, CPUS, LIMIT);
	if (records)
		run_records(&in, &m, &p);
	else
		run_chunks(&in, &m, &p);
	merge_deinit(&m);
	print_deinit(&p);
	output_deinit(&output);
	control_close(&c);
	return 0;
}
