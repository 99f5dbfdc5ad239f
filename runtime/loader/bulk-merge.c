/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ktap merge`: the files of --bulk become what the session would have printed.
 *
 * Records go the way that they go in a session (merge.c, print.c); formats and names come from the files instead of a module. Files may
 * be hostile, sparse or cut short: sizes are checked against the file and against what ktaprun writes, and only text is printed.
 */
#include "runtime/loader/bulk.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/paths.h"
#include "lib/regular.h"
#include "runtime/loader/print.h"

enum {
	/* The most bytes of a block or of all formats. A block is one read of ktaprun, of 1 MB or one record, which has KT_ARGS_MAX strings of
	 * 32 KB at most; or the names in it, of 272 bytes each at most, which need 24 bytes of the read. */
	SIZE_MOST = 64 << 20,
	FORMATS_MOST = 1 << 16,     /* kt_record.number has 16 bits */
	WAITING_MOST = 8 << 20,     /* bytes of records that wait for another CPU's, for each file. Files of ours need a fraction of it. */
};

struct cpu_file {
	const char *path;
	int fd;
	kt_u64 size, at; /* bytes */
	dev_t device;
	ino_t inode;
	struct bulk_head head;
	kt_u64 horizon;
	bool ended, failed;
};

struct bulk_files {
	struct cpu_file *files;
	int n, session_files;
	struct merge merge;
	struct names names; /* which the session asked the kernel for */
};

/* ---- a file ---- */
static bool damaged(struct cpu_file *f, const char *what)
{
	f->failed = f->ended = true;
	return error(nowhere, DIAG_RUN, "'%s' %s at byte %llu: records after that are missing", f->path, what, f->at);
}

static bool take(struct cpu_file *f, void *to, kt_u64 len)
{
	ssize_t n;

	if (len > f->size - f->at)
		return damaged(f, "is cut short");
	for (kt_u64 done = 0; done < len; done += (kt_u64)n) {
		n = read(f->fd, (char *)to + done, len - done);
		if (n < 0 && errno == EINTR)
			n = 0;
		else if (n <= 0)
			return damaged(f, n ? strerror(errno) : "is cut short");
	}
	f->at += len;
	return true;
}

/* Opens F, which comes after the open ones of B. */
static bool open_file(const struct bulk_files *b, struct cpu_file *f)
{
	struct stat st;

	f->fd = open_regular(f->path);
	if (f->fd < 0 || fstat(f->fd, &st) < 0)
		return error(nowhere, DIAG_IO, "cannot read '%s': %s", f->path, f->fd < 0 ? regular_failure(f->fd) : strerror(errno));
	f->device = st.st_dev;
	f->inode = st.st_ino;
	f->size = (kt_u64)st.st_size;
	if (f->size < sizeof(f->head) || !take(f, &f->head, sizeof(f->head)) || memcmp(f->head.magic, BULK_MAGIC, sizeof(f->head.magic)))
		return error(nowhere, DIAG_RUN, "'%s' is not a file of ktap -b", f->path);
	if (f->head.abi != KT_ABI)
		return error(nowhere, DIAG_RUN, "'%s' was written by another version of ktap: its interface is %u, expected %d", f->path,
			     f->head.abi, KT_ABI);
	for (const struct cpu_file *other = b->files; other < f; other++) {
		if (memcmp(other->head.session, f->head.session, sizeof(f->head.session)))
			return error(nowhere, DIAG_RUN, "'%s' and '%s' are of different sessions", other->path, f->path);
		if (other->head.cpu == f->head.cpu)
			return error(nowhere, DIAG_RUN, "'%s' and '%s' are of the same CPU", other->path, f->path);
	}
	return true;
}

/* Reads the formats of F into C, unless it has some. */
static bool read_formats(struct cpu_file *f, struct control *c)
{
	kt_u32 size = f->head.formats_size, n = f->head.n_formats, i = 0;
	_cleanup_free_ char *texts = NULL;

	if (size > SIZE_MOST || n > FORMATS_MOST || n > size)
		return damaged(f, "is damaged");
	if (size > f->size - f->at)
		return damaged(f, "is cut short");
	texts = xmalloc(size + 1ul);
	if (!take(f, texts, size))
		return false;
	texts[size] = 0;
	if (c->texts[KT_TEXT_FORMAT])
		return true;
	c->texts[KT_TEXT_FORMAT] = xmalloc((n + 1ul) * sizeof(char *));
	for (const char *at = texts; i < n && at < texts + size; at += strlen(at) + 1)
		c->texts[KT_TEXT_FORMAT][i++] = xstrdup(at);
	c->n_texts[KT_TEXT_FORMAT] = i;
	return true;
}

static bool read_names(struct bulk_files *b, struct cpu_file *f, const char *at, kt_u64 size)
{
	struct kt_name_request request;
	struct bulk_name name;

	for (; size; at += name.len, size -= name.len) {
		if (size < sizeof(name))
			return damaged(f, "is damaged");
		memcpy(&name, at, sizeof(name));
		at += sizeof(name);
		size -= sizeof(name);
		if (name.len > size || name.len > sizeof(request.text) || name.kind > KT_NAME_DATA)
			return damaged(f, "is damaged");
		names_add(&b->names, name.address, (enum kt_name_kind)name.kind, at, name.len);
	}
	return true;
}

static bool read_block(struct bulk_files *b, struct cpu_file *f)
{
	_cleanup_free_ char *bytes = NULL;
	struct kt_chunk chunk;

	if (f->at == f->size)
		return damaged(f, "ends without its last block, as when ktaprun was killed,");
	if (!take(f, &chunk, sizeof(chunk)))
		return false;
	if (chunk.size > SIZE_MOST)
		return damaged(f, "is damaged");
	if (chunk.size > f->size - f->at)
		return damaged(f, "is cut short");
	bytes = xmalloc(sizeof(chunk) + chunk.size);
	memcpy(bytes, &chunk, sizeof(chunk));
	if (!take(f, bytes + sizeof(chunk), chunk.size))
		return false;
	if (chunk.cpu == BULK_NAMES)
		return read_names(b, f, bytes + sizeof(chunk), chunk.size);
	if (chunk.cpu == BULK_END && !chunk.size && f->at == f->size) {
		b->session_files = chunk.horizon < INT32_MAX ? (int)chunk.horizon : 0;
		return f->ended = true;
	}
	if (chunk.cpu != f->head.cpu || merge_add(&b->merge, bytes, sizeof(chunk) + chunk.size))
		return damaged(f, "is damaged");
	f->horizon = chunk.horizon;
	return true;
}

/* ---- all ---- */
/* There is no module to ask. */
static int no_answer(int fd, unsigned int request, void *arg)
{
	errno = ENOENT;
	return -1;
}

/* What else there is was dealt with in the session. */
static void print_ready(struct bulk_files *b, struct printer *p, bool all)
{
	const struct kt_record *rec;

	while (!p->output->broken && (rec = merge_next(&b->merge, all))) {
		if (rec->kind == KT_REC_PRINT || rec->kind == KT_REC_LOG)
			print_record(p, rec);
		if (p->output->text.len > OUTPUT_LONG / 4)
			output_wait(p->output);
	}
}

/* A CPU whose file has ended holds nothing back. */
static void end_cpu(struct merge *m, const struct cpu_file *f)
{
	struct kt_chunk last = { .cpu = f->head.cpu, .horizon = ~0ull };

	for (kt_u32 i = 0; i < m->n; i++)
		if (m->cpus[i].cpu == f->head.cpu) {
			last.lost_records = m->cpus[i].lost_records;
			last.lost_bytes = m->cpus[i].lost_bytes;
		}
	merge_add(m, (const char *)&last, sizeof(last));
}

/* Reads on in the file that holds the others back. False: all have ended. */
static bool read_next(struct bulk_files *b)
{
	struct cpu_file *next = NULL;

	for (int i = 0; i < b->n; i++)
		if (!b->files[i].ended && (!next || b->files[i].horizon < next->horizon))
			next = &b->files[i];
	if (!next)
		return false;
	read_block(b, next);
	if (next->ended)
		end_cpu(&b->merge, next);
	return true;
}

static void report(const struct bulk_files *b, struct printer *p)
{
	kt_u64 lost = 0, bytes = 0;

	for (kt_u32 i = 0; i < b->merge.n; i++) {
		lost += b->merge.cpus[i].lost_records;
		bytes += b->merge.cpus[i].lost_bytes;
	}
	if (lost)
		print_warning(p, "There were %llu lost messages, %llu lost bytes. Try ktap -s to increase the buffer size from %u KB per "
			      "CPU.", lost, bytes, b->files[0].head.buffer_size / 1024);
	if (b->merge.disordered)
		print_warning(p, "%llu messages may be out of order: more than %d MB waited for other files", b->merge.disordered,
			      (int)(b->merge.limit >> 20));
	if (p->malformed)
		print_warning(p, "malformed records, not printed: %llu", p->malformed);
	if (b->session_files > b->n)
		print_warning(p, "The session wrote %d files: the output of %d CPUs is missing", b->session_files, b->session_files - b->n);
}

/* Opens the file PATTERN for the output, unless it is one of the inputs: opening would empty that. */
static bool open_merged(const struct bulk_files *b, struct output *out, const char *pattern)
{
	_cleanup_free_ char *path = expand_output(pattern);
	struct stat st;

	if (!path)
		return false;
	for (int i = 0; i < b->n && !stat(path, &st); i++)
		if (st.st_dev == b->files[i].device && st.st_ino == b->files[i].inode)
			return error(nowhere, DIAG_IO, "'%s' is both input and output: choose another file for -o", path);
	return output_open_file(out, pattern, (struct rotation){ 0 });
}

int bulk_merge(char *const *paths, int n, const char *output)
{
	const struct loader_sys sys = { .root = "", .ioctl = no_answer };
	struct bulk_files b = { .files = xmalloc((size_t)n * sizeof(*b.files)) };
	struct control control = { .sys = &sys, .fd = -1, .names = &b.names };
	struct output out;
	struct printer p;
	bool failed = false;

	for (; b.n < n && !failed; b.n++) {
		b.files[b.n] = (struct cpu_file){ .path = paths[b.n], .fd = -1 };
		failed = !open_file(&b, &b.files[b.n]) || !read_formats(&b.files[b.n], &control);
	}
	output_init(&out, STDOUT_FILENO);
	failed |= !failed && output && !open_merged(&b, &out, output);
	merge_init(&b.merge, (kt_u32)n, SIZE_MOST + (size_t)n * WAITING_MOST);
	print_init(&p, &control, &out);
	if (!failed) {
		do
			print_ready(&b, &p, false);
		while (!out.broken && read_next(&b));
		print_ready(&b, &p, true);
		output_wait(&out);
		report(&b, &p);
		output_wait(&p.messages);
	}
	print_deinit(&p);
	merge_deinit(&b.merge);
	names_deinit(&b.names);
	control_close(&control);
	for (int i = 0; i < b.n; i++) {
		failed |= b.files[i].failed;
		if (b.files[i].fd >= 0)
			close(b.files[i].fd);
	}
	free(b.files);
	return !output_deinit(&out) || failed;
}
