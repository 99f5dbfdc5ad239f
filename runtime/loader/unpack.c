/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unpacks what linkers and objcopy pack, with the libraries of zlib and zstd where they are installed: only the sections of
 * debugging information are packed, and most sessions need none of them. See unpack.h. */
#include "runtime/loader/unpack.h"

#include <elf.h>
#include <string.h>

/* uncompress() of zlib: 0 is success. ZSTD_decompress(): the size, or a huge number. */
typedef int zlib_fn(unsigned char *to, unsigned long *to_size, const unsigned char *from, unsigned long size);
typedef size_t zstd_fn(void *to, size_t to_size, const void *from, size_t size);

static bool unpack_zlib(struct libraries *l, const unsigned char *from, size_t size, unsigned char *to, size_t to_size)
{
	void *found = library_function(l, LIBRARY_ZLIB, "uncompress");
	unsigned long n = to_size;
	zlib_fn *fn;

	memcpy(&fn, &found, sizeof(fn));
	return fn && !fn(to, &n, from, size) && n == to_size;
}

static bool unpack_zstd(struct libraries *l, const unsigned char *from, size_t size, unsigned char *to, size_t to_size)
{
	void *found = library_function(l, LIBRARY_ZSTD, "ZSTD_decompress");
	zstd_fn *fn;

	memcpy(&fn, &found, sizeof(fn));
	return fn && fn(to, to_size, from, size) == to_size;
}

bool unpack(struct libraries *l, unsigned int how, const unsigned char *from, size_t size, unsigned char *to, size_t to_size)
{
	enum { ELF_ZSTD = 2 }; /* ELFCOMPRESS_ZSTD, which <elf.h> may not know */

	switch (how) {
	case ELFCOMPRESS_ZLIB: return unpack_zlib(l, from, size, to, to_size);
	case ELF_ZSTD: return unpack_zstd(l, from, size, to, to_size);
	}
	return false;
}
