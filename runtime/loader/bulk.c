/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread for each CPU copies what read() returns to the CPU's file. It looks at the records only for what must not wait: names of
 * addresses, which the kernel knows while the module is loaded, and records that are not text, which it hands to the session.
 */
#include "runtime/loader/bulk.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/paths.h"
#include "lib/text.h"
#include "runtime/core/format.h"
#include "runtime/loader/names.h"

enum {
	READ_SIZE = 1 << 20,
	READER_NICE = -10,
	BUSY_MS = 20,    /* between looks after a record came */
	ASLEEP_MS = 500, /* when the next record calls */
	QUIET_LOOKS = 5,
};

struct bulk_cpu {
	struct bulk *bulk;
	int number;
	int in;            /* file of the kernel */
	int out;           /* -1: not yet created */
	char *path;
	char *buffer;
	size_t size;
	struct names names;
	pthread_t thread;
	bool runs;
	bool unwritten;    /* the error is that of the file `out` */
	/* Under the lock: what the session takes. */
	struct kt_chunk chunk;
	struct text handed;
	int error;
};

struct bulk {
	struct control *control;
	struct bulk_cpu *cpus;
	kt_u32 n;
	struct bulk_head head;
	struct text formats;
	struct output_dir dir; /* of all files; open before the first thread runs */
	bool finished;
	bool *strings;     /* by format: it may print a name */
	pthread_mutex_t lock;
	int event;
	int stop;          /* eventfd: the threads are to end */
};

/* ---- files ---- */
static int create_file(struct bulk_cpu *c)
{
	struct bulk_head head = c->bulk->head;
	int fd = open_numbered(&c->bulk->dir, c->path);
	int err;

	if (fd < 0)
		return fd;
	c->out = fd;
	head.cpu = (kt_u32)c->number;
	err = write_all(c->out, (const char *)&head, sizeof(head));
	return err ? err : write_all(c->out, c->bulk->formats.buf, c->bulk->formats.len);
}

static int write_block(struct bulk_cpu *c, const struct kt_chunk *chunk, const char *bytes)
{
	int err = c->out < 0 ? create_file(c) : 0;

	err = err ? err : write_all(c->out, (const char *)chunk, sizeof(*chunk));
	err = err ? err : write_all(c->out, bytes, chunk->size);
	c->unwritten = err;
	return err;
}

/* Ends the file, which has the end block with it as one of N. */
static int finish_file(struct bulk_cpu *c, kt_u32 n)
{
	const struct kt_chunk end = { .cpu = BULK_END, .horizon = n };
	int err = write_block(c, &end, "");

	if (close(c->out) < 0 && !err) /* NFS and quotas report errors only here */
		err = -errno;
	c->out = -1;
	c->unwritten = err;
	return err;
}

/* ---- records ---- */
/* Appends to T the names in the record REC that the file does not have yet. */
static void find_names(struct bulk_cpu *c, const struct kt_record *rec, struct text *t)
{
	const char *format = control_text(c->bulk->control, KT_TEXT_FORMAT, rec->number);
	struct kt_arg args[KT_ARGS_MAX];
	kt_s32 n = kt_format_record(format, rec + 1, rec->size - (kt_u32)sizeof(*rec), args, KT_ARGS_MAX);

	for (kt_s32 i = 0; i < n; i++) {
		struct bulk_name name = { (kt_u64)args[i].number, args[i].name, 0 };
		kt_u32 known = c->names.n;
		const char *text;

		if (!args[i].name)
			continue;
		text = names_get(&c->names, c->bulk->control, name.address, (enum kt_name_kind)name.kind);
		name.len = (kt_u32)strlen(text);
		if (c->names.n == known)
			continue;
		text_append(t, (const char *)&name, sizeof(name));
		text_append(t, text, name.len);
	}
}

/* Looks at the N bytes of records at AT. Names go to NAMES, records for the session to HANDED. */
static int sort_records(struct bulk_cpu *c, const char *at, size_t n, struct text *names, struct text *handed)
{
	const struct kt_record *rec;

	for (size_t i = 0; i < n; i += rec->size) {
		rec = (const struct kt_record *)(at + i);
		if (n - i < sizeof(*rec) || rec->size < sizeof(*rec) || rec->size % 8 || rec->size > n - i)
			return -EPROTO;
		switch ((enum kt_record_kind)rec->kind) {
		case KT_REC_PRINT:
			if (rec->number < c->bulk->head.n_formats && c->bulk->strings[rec->number])
				find_names(c, rec, names);
			break;
		case KT_REC_PAD:
		case KT_REC_LOG:
			break;
		case KT_REC_WARN:
		case KT_REC_ERROR:
		case KT_REC_SYSTEM:
		case KT_REC_SWITCH:
		case KT_REC_OBJECT:
			text_append(handed, (const char *)rec, rec->size);
			break;
		}
	}
	return 0;
}

static int pass_on(struct bulk_cpu *c, const struct kt_chunk *chunk)
{
	const char *records = c->buffer + sizeof(*chunk);
	_cleanup_text_ struct text names = { 0 }, handed = { 0 };
	struct kt_chunk block = { .cpu = BULK_NAMES };
	const uint64_t one = 1;
	int err;

	names_trim(&c->names);
	err = sort_records(c, records, chunk->size, &names, &handed);

	block.size = (kt_u32)names.len;
	if (!err && names.len)
		err = write_block(c, &block, names.buf);
	if (!err && (chunk->size || chunk->lost_records != c->chunk.lost_records))
		err = write_block(c, chunk, records);
	pthread_mutex_lock(&c->bulk->lock);
	c->chunk = *chunk;
	text_append(&c->handed, text_str(&handed), handed.len);
	c->error = err;
	pthread_mutex_unlock(&c->bulk->lock);
	if ((handed.len || err) && write(c->bulk->event, &one, sizeof(one)) < 0)
		err = err ? err : -errno;
	return err;
}

/* One read. Returns the bytes of records, 0: none for now, or -errno. */
static long read_once(struct bulk_cpu *c)
{
	struct kt_chunk chunk;
	ssize_t n;
	int err;

	while ((n = read(c->in, c->buffer, c->size)) < 0 && (errno == EINTR || errno == EMSGSIZE))
		if (errno == EMSGSIZE) {
			c->size *= 2;
			c->buffer = xrealloc(c->buffer, c->size);
		}
	if (n < (ssize_t)sizeof(chunk))
		return n < 0 ? -errno : -EPROTO;
	memcpy(&chunk, c->buffer, sizeof(chunk));
	if (chunk.size != (size_t)n - sizeof(chunk))
		return -EPROTO;
	err = pass_on(c, &chunk);
	return err ? err : (long)chunk.size;
}

static void *cpu_main(void *arg)
{
	struct bulk_cpu *c = arg;
	struct pollfd p[] = { { .fd = c->in }, { .fd = c->bulk->stop, .events = POLLIN } };
	int quiet = 0;
	long n = 0;

	setpriority(PRIO_PROCESS, 0, READER_NICE);
	while (n >= 0 && !p[1].revents) {
		p[0].events = quiet > QUIET_LOOKS ? POLLPRI | POLLIN : POLLPRI;
		poll(p, 2, n > READ_SIZE / 4 ? 0 : quiet > QUIET_LOOKS + 1 ? ASLEEP_MS : BUSY_MS);
		quiet = p[0].revents & POLLIN ? 0 : quiet;
		n = read_once(c);
		quiet = n ? 0 : quiet + 1;
	}
	while (n >= 0 && (n = read_once(c)) > 0)
		continue;
	if (n < 0) {
		const uint64_t one = 1;

		pthread_mutex_lock(&c->bulk->lock);
		c->error = (int)n;
		pthread_mutex_unlock(&c->bulk->lock);
		if (write(c->bulk->event, &one, sizeof(one)) < 0)
			return NULL;
	}
	return NULL;
}

/* ---- the session's side ---- */
int bulk_event(const struct bulk *b)
{
	return b->event;
}

long bulk_take(struct bulk *b, struct merge *m)
{
	uint64_t count;
	long sum = 0;
	int err = 0;

	if (read(b->event, &count, sizeof(count)) < 0 && errno != EAGAIN)
		return -errno;
	pthread_mutex_lock(&b->lock);
	for (kt_u32 i = 0; i < b->n; i++) {
		struct bulk_cpu *c = &b->cpus[i];
		struct kt_chunk chunk = c->chunk;
		_cleanup_text_ struct text t = { 0 };

		chunk.cpu = (kt_u32)c->number;
		chunk.size = (kt_u32)c->handed.len;
		text_append(&t, (const char *)&chunk, sizeof(chunk));
		text_append(&t, text_str(&c->handed), c->handed.len);
		text_clear(&c->handed);
		err = err ? err : c->error ? c->error : merge_add(m, t.buf, t.len);
		sum += chunk.size;
	}
	pthread_mutex_unlock(&b->lock);
	return err ? err : sum;
}

/* Reports that the file of C cannot be written, for the reason ERR of open_numbered() or a write. */
static bool report_file(const struct bulk_cpu *c, int err)
{
	return error(nowhere, DIAG_IO, "cannot write '%s': %s", c->path, output_failure(err));
}

bool bulk_report(struct bulk *b)
{
	bool any = false;

	pthread_mutex_lock(&b->lock);
	for (kt_u32 i = 0; i < b->n; i++)
		if (b->cpus[i].error && b->cpus[i].unwritten) {
			report_file(&b->cpus[i], b->cpus[i].error);
			any = true;
		}
	pthread_mutex_unlock(&b->lock);
	return any;
}

static bool start_cpu(struct bulk *b, const char *name, const char *pattern, int number)
{
	struct bulk_cpu *c = &b->cpus[b->n++];
	_cleanup_free_ char *in = sys_path(b->control->sys, "/proc/ktap_%s.cpu/%d", name, number);
	int err;

	*c = (struct bulk_cpu){ .bulk = b, .number = number, .out = -1, .size = READ_SIZE + sizeof(struct kt_chunk) };
	c->path = pattern ? xasprintf("%s.%d", pattern, number) : xasprintf("stpd_cpu%d", number);
	c->buffer = xmalloc(c->size);
	c->in = open(in, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (c->in < 0)
		return error(nowhere, DIAG_RUN, "cannot open '%s': %s", in, strerror(errno));
	/* A CPU that comes later has its file with its first record. */
	err = output_dir_open(&b->dir, c->path);
	if (!err && number < sysconf(_SC_NPROCESSORS_CONF))
		err = create_file(c);
	if (err)
		return report_file(c, err);
	err = pthread_create(&c->thread, NULL, cpu_main, c);
	c->runs = !err;
	return !err || error(nowhere, DIAG_RUN, "cannot start a thread: %s", strerror(err));
}

/* All texts are fetched here: threads only look at them. */
static void get_formats(struct bulk *b, struct control *c)
{
	b->head.n_formats = c->n_texts[KT_TEXT_FORMAT];
	b->strings = xmalloc(b->head.n_formats + 1);
	for (kt_u32 i = 0; i < b->head.n_formats; i++) {
		const char *format = control_text(c, KT_TEXT_FORMAT, i);
		struct kt_directive d;

		b->strings[i] = false;
		for (const char *at = strchr(format, '%'); at; at = strchr(at, '%')) {
			at = kt_directive(at, &d);
			b->strings[i] |= kt_conv_type(d.conv) == 'S';
		}
		text_append(&b->formats, format, strlen(format) + 1);
	}
	b->head.formats_size = (kt_u32)b->formats.len;
}

struct bulk *bulk_start(struct control *c, const char *name, const char *pattern)
{
	struct bulk *b = xmalloc(sizeof(*b));
	_cleanup_free_ char *expanded = pattern ? expand_output(pattern) : NULL;
	bool ok = !pattern || expanded;

	*b = (struct bulk){ .control = c, .head = { .magic = BULK_MAGIC, .abi = KT_ABI, .buffer_size = c->info.buffer_size },
		.event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), .stop = eventfd(0, EFD_CLOEXEC) };
	pthread_mutex_init(&b->lock, NULL);
	b->cpus = xmalloc((c->info.n_cpus + 1) * sizeof(*b->cpus));
	if (b->event < 0 || b->stop < 0 || getrandom(b->head.session, sizeof(b->head.session), 0) < 0)
		ok = error(nowhere, DIAG_RUN, "cannot start the readers: %s", strerror(errno));
	get_formats(b, c);
	/* The numbers of CPUs need not follow each other, but all are below this. */
	for (int number = 0; ok && b->n < c->info.n_cpus && number < 8192; number++) {
		_cleanup_free_ char *path = sys_path(c->sys, "/proc/ktap_%s.cpu/%d", name, number);

		if (!access(path, F_OK))
			ok = start_cpu(b, name, expanded, number);
	}
	if (ok)
		return b;
	bulk_free(b);
	return NULL;
}

void bulk_finish(struct bulk *b)
{
	const uint64_t one = 1;
	kt_u32 files = 0;

	if (b->finished)
		return;
	b->finished = true;
	if (b->stop >= 0 && write(b->stop, &one, sizeof(one)) < 0) /* without it no thread was started */
		bug("eventfd: %s", strerror(errno));
	for (kt_u32 i = 0; i < b->n; i++) {
		if (b->cpus[i].runs)
			pthread_join(b->cpus[i].thread, NULL);
		b->cpus[i].runs = false;
		files += b->cpus[i].out >= 0;
	}
	for (kt_u32 i = 0; i < b->n; i++) {
		struct bulk_cpu *c = &b->cpus[i];

		if (c->out >= 0 && !c->error)
			c->error = finish_file(c, files);
	}
}

void bulk_free(struct bulk *b)
{
	if (!b)
		return;
	bulk_finish(b);
	for (kt_u32 i = 0; i < b->n; i++) {
		struct bulk_cpu *c = &b->cpus[i];

		if (c->in >= 0)
			close(c->in);
		if (c->out >= 0)
			close(c->out);
		names_deinit(&c->names);
		text_deinit(&c->handed);
		free(c->buffer);
		free(c->path);
	}
	text_deinit(&b->formats);
	free(b->strings);
	free(b->cpus);
	output_dir_close(&b->dir);
	close(b->event);
	close(b->stop);
	free(b);
}
