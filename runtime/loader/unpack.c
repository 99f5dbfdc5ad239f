/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unpacks what linkers and objcopy pack, with the libraries of zlib and zstd where they are installed: only the sections of
 * debugging information are packed, and most sessions need none of them. See unpack.h. */
#include "runtime/loader/unpack.h"

#include <dlfcn.h>
#include <elf.h>
#include <string.h>

/* uncompress() of zlib: 0 is success. ZSTD_decompress(): the size, or a huge number. */
typedef int zlib_fn(unsigned char *to, unsigned long *to_size, const unsigned char *from, unsigned long size);
typedef size_t zstd_fn(void *to, size_t to_size, const void *from, size_t size);

/* The function NAME of LIBRARY, which stays loaded; NULL: not installed. */
static void *find_function(const char *library, const char *name)
{
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);

	return handle ? dlsym(handle, name) : NULL;
}

static bool unpack_zlib(const unsigned char *from, size_t size, unsigned char *to, size_t to_size)
{
	void *found = find_function("libz.so.1", "uncompress");
	unsigned long n = to_size;
	zlib_fn *fn;

	memcpy(&fn, &found, sizeof(fn));
	return fn && !fn(to, &n, from, size) && n == to_size;
}

static bool unpack_zstd(const unsigned char *from, size_t size, unsigned char *to, size_t to_size)
{
	void *found = find_function("libzstd.so.1", "ZSTD_decompress");
	zstd_fn *fn;

	memcpy(&fn, &found, sizeof(fn));
	return fn && fn(to, to_size, from, size) == to_size;
}

bool unpack(unsigned int how, const unsigned char *from, size_t size, unsigned char *to, size_t to_size)
{
	enum { ELF_ZSTD = 2 }; /* ELFCOMPRESS_ZSTD, which <elf.h> may not know */

	switch (how) {
	case ELFCOMPRESS_ZLIB: return unpack_zlib(from, size, to, to_size);
	case ELF_ZSTD: return unpack_zstd(from, size, to, to_size);
	}
	return false;
}
