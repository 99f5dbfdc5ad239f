/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzz target: `ktap merge`, on one file or two of a session. Their heads are right; the input has the formats and the blocks. Its first
 * byte: bit 0, there are two files; bit 1, what follows the formats stands in the file as it is, else blocks are made of it.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/diag.h"
#include "lib/reader.h"
#include "lib/text.h"
#include "runtime/loader/bulk.h"
#include "runtime/loader/print.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FILES = 2 };

/* Losses and damage are warned about in most inputs. */
void __wrap_print_warning(struct printer *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void __wrap_print_warning(struct printer *p, const char *fmt, ...)
{
}

static struct reader next_part(struct reader *in)
{
	return read_part(in, read_fixed(in, 1));
}

/* Records of one block, each of the bytes that a length says. */
static void put_records(struct text *t, struct reader in)
{
	while (in.at < in.end) {
		kt_u8 kind = (kt_u8)read_fixed(&in, 1);
		struct kt_record r = { .kind = kind % (KT_REC_OBJECT + 2), .level = kind / 16, .number = (kt_u16)read_fixed(&in, 1) % 4,
				       .time = read_fixed(&in, 1) };
		struct reader payload = next_part(&in);
		size_t len = (size_t)(payload.end - payload.at);

		r.size = (kt_u32)(sizeof(r) + (len + 7) / 8 * 8);
		text_append(t, (const char *)&r, sizeof(r));
		text_append(t, (const char *)payload.at, len);
		text_append(t, "\0\0\0\0\0\0\0", -len % 8);
	}
}

static void put_block(struct text *t, struct reader *in, kt_u32 cpu)
{
	kt_u64 kind = read_fixed(in, 1);
	struct kt_chunk c = { .cpu = kind % 8 == 7 ? BULK_NAMES : kind % 8 == 6 ? BULK_END : cpu, .horizon = read_fixed(in, 1),
			      .lost_records = kind / 8, .lost_bytes = kind };
	struct reader payload = next_part(in);
	struct text bytes = { 0 };

	if (c.cpu == cpu)
		put_records(&bytes, payload);
	else if (c.cpu == BULK_NAMES)
		text_append(&bytes, (const char *)payload.at, (size_t)(payload.end - payload.at));
	c.size = (kt_u32)bytes.len;
	text_append(t, (const char *)&c, sizeof(c));
	text_append(t, text_str(&bytes), bytes.len);
	text_deinit(&bytes);
}

/* The file of CPU in memory. */
static int make_file(struct reader in, kt_u32 cpu, bool raw)
{
	struct bulk_head head = { .magic = BULK_MAGIC, .abi = KT_ABI, .cpu = cpu, .buffer_size = 4096 };
	struct reader formats = next_part(&in);
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct text t = { 0 };

	head.n_formats = (kt_u32)read_fixed(&in, 1);
	head.formats_size = (kt_u32)(formats.end - formats.at);
	text_append(&t, (const char *)&head, sizeof(head));
	text_append(&t, (const char *)formats.at, head.formats_size);
	if (raw)
		text_append(&t, (const char *)in.at, (size_t)(in.end - in.at));
	while (!raw && in.at < in.end)
		put_block(&t, &in, cpu);
	if (fd < 0 || write(fd, t.buf, t.len) != (ssize_t)t.len)
		abort();
	text_deinit(&t);
	return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct reader in = { data, data + size, false };
	kt_u64 flags = read_fixed(&in, 1);
	int n = flags & 1 ? FILES : 1, fds[FILES];
	char *paths[FILES];

	diag_process()->take = diag_ignore;
	for (int i = 0; i < n; i++) {
		fds[i] = make_file(i + 1 < n ? read_part(&in, read_fixed(&in, 1) * 4) : in, (kt_u32)i, flags & 2);
		paths[i] = xasprintf("/proc/self/fd/%d", fds[i]);
	}
	bulk_merge(paths, n, "/dev/null");
	for (int i = 0; i < n; i++) {
		close(fds[i]);
		free(paths[i]);
	}
	arena_deinit(&program_arena);
	return 0;
}
