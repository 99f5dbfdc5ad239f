/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bzImage: the setup header says where the compressed kernel is. XZ and LZMA are unpacked here (liblzma), the others by
 * their tools, whose names kernels' builds need anyway.
 */
#include "translator/debuginfo/vmlinuz.h"

#include <errno.h>
#include <lzma.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/proc.h"
#include "lib/reader.h"

enum {
	SETUP_SECTS = 0x1f1, MAGIC = 0x202, VERSION = 0x206, PAYLOAD_OFFSET = 0x248, PAYLOAD_LENGTH = 0x24c,
	SECTOR = 512, HEADER_MIN = 0x250, VERSION_MIN = 0x208,
};

/* No kernel is larger; a hostile stream would be. */
static const size_t unpacked_max = 512u << 20;
static const uint64_t memory_max = 256u << 20;

/* .xz, or the older .lzma (ALONE). */
static bool unpack_xz(const char *p, size_t size, struct text *out, bool alone)
{
	lzma_stream s = LZMA_STREAM_INIT;
	lzma_ret rc = alone ? lzma_alone_decoder(&s, memory_max) : lzma_stream_decoder(&s, memory_max, 0);
	enum { STEP = 1 << 20 };
	_cleanup_free_ char *buf = xmalloc(STEP);

	s.next_in = (const uint8_t *)p;
	s.avail_in = size;
	while (rc == LZMA_OK && out->len < unpacked_max) {
		s.next_out = (uint8_t *)buf;
		s.avail_out = STEP;
		/* Not LZMA_FINISH: the kernel appends the unpacked size to the stream. */
		rc = lzma_code(&s, LZMA_RUN);
		text_append(out, buf, STEP - s.avail_out);
	}
	lzma_end(&s);
	return rc == LZMA_STREAM_END;
}

/* Through a tool that reads a file, which is in memory, and writes to standard output. WHY changes when the tool is not installed. */
static bool unpack_tool(const char *tool, const char *p, size_t size, struct text *out, const char **why)
{
	_cleanup_close_ int fd = memory_file("ktap-payload", p, size);
	_cleanup_free_ char *path = xasprintf("/proc/%d/fd/%d", getpid(), fd);
	const char *const argv[] = { tool, "-q", "-d", "-f", "-c", path, NULL }; /* -f: the path is a link */
	struct proc proc = { .argv = argv, .out = out };

	if (fd < 0)
		return false;
	/* Trailing bytes make the tools complain after they wrote all: the ELF's own headers decide. */
	if (proc_run(&proc) == -ENOENT)
		*why = arena_printf(&program_arena, "program '%s', which unpacks it, is not installed", tool);
	return out->len > 0;
}

static const struct packing {
	const char *magic;
	size_t len;
	const char *tool; /* NULL: liblzma */
} packings[] = {
	{ "\xfd\x37\x7a\x58\x5a\x00", 6, NULL },
	{ "\x5d\x00\x00", 3, NULL },
	{ "\x1f\x8b", 2, "gzip" },
	{ "\x28\xb5\x2f\xfd", 4, "zstd" },
	{ "\x02\x21\x4c\x18", 4, "lz4" },
	{ "BZh", 3, "bzip2" },
};

/* By the magic number of the payload, as the kernel's own scripts/extract-vmlinux does. NULL: unknown. */
static const struct packing *packing_of(const char *p, size_t size)
{
	for (size_t i = 0; i < sizeof(packings) / sizeof(*packings); i++)
		if (size >= packings[i].len && !memcmp(p, packings[i].magic, packings[i].len))
			return &packings[i];
	return NULL;
}

bool payload_unpack(const char *p, size_t size, struct text *out, const char **why)
{
	const struct packing *k = packing_of(p, size);

	*why = k ? "its payload is damaged" : "its payload is packed in an unknown way";
	if (!k)
		return false;
	return k->tool ? unpack_tool(k->tool, p, size, out, why) : unpack_xz(p, size, out, k->len == 3);
}

const char *vmlinuz_payload(const struct text *image, size_t *size)
{
	const char *p = text_str(image);
	size_t sectors, at;

	if (image->len <= HEADER_MIN || memcmp(p + MAGIC, "HdrS", 4) || (word_at(p + VERSION) & 0xffff) < VERSION_MIN)
		return NULL;
	sectors = (unsigned char)p[SETUP_SECTS] ? (unsigned char)p[SETUP_SECTS] : 4;
	at = (sectors + 1) * SECTOR + word_at(p + PAYLOAD_OFFSET);
	*size = word_at(p + PAYLOAD_LENGTH);
	return at <= image->len && *size <= image->len - at ? p + at : NULL;
}

bool vmlinuz_unpack(const char *path, struct text *out, const char **why)
{
	_cleanup_text_ struct text image = {};
	const char *p;
	bool ok = false;
	size_t size;

	*why = "it is not a bzImage";
	if (!text_read_file(&image, path)) {
		*why = strerror(errno);
	} else {
		p = vmlinuz_payload(&image, &size);
		ok = p && payload_unpack(p, size, out, why);
	}
	return ok;
}
