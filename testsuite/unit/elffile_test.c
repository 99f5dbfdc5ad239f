/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packed sections of ELF files of 64 and of 32 bits: what zlib and zstd themselves packed comes out again, what is damaged
 * gives nothing. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/loader/elffile.h"
#include "testsuite/unit/tap.h"

enum { PLAIN_SIZE = 40000, ROOM = 65536, ZSTD = 2 };

static unsigned char plain[PLAIN_SIZE], packed[ROOM], image[2 * ROOM];
static const char names[] = "\0.debug_line\0.strings";

static size_t pack(unsigned int how)
{
	void *zlib = dlopen("libz.so.1", RTLD_NOW), *zstd = dlopen("libzstd.so.1", RTLD_NOW);
	int (*compress)(unsigned char *to, unsigned long *n, const unsigned char *from, unsigned long size);
	size_t (*compress_zstd)(void *to, size_t room, const void *from, size_t size, int level);
	void *symbol = how == ZSTD ? zstd ? dlsym(zstd, "ZSTD_compress") : NULL : zlib ? dlsym(zlib, "compress") : NULL;
	unsigned long n = sizeof(packed);

	if (!symbol)
		return 0;
	memcpy(&compress, &symbol, sizeof(symbol));
	memcpy(&compress_zstd, &symbol, sizeof(symbol));
	if (how == ZSTD)
		return compress_zstd(packed, sizeof(packed), plain, sizeof(plain), 3);
	return compress(packed, &n, plain, sizeof(plain)) ? 0 : n;
}

/* A file with two sections: SIZE bytes of `packed` behind a header that promises PLAIN bytes, and the names. */
static struct span make_file(bool is_32bit, unsigned int how, size_t size, size_t promised)
{
	size_t at = is_32bit ? sizeof(Elf32_Ehdr) : sizeof(Elf64_Ehdr), table;
	Elf64_Chdr c = { .ch_type = how, .ch_size = promised, .ch_addralign = 1 };
	Elf32_Chdr c32 = { .ch_type = how, .ch_size = (Elf32_Word)promised, .ch_addralign = 1 };
	size_t head = is_32bit ? sizeof(c32) : sizeof(c);
	const Elf64_Shdr s[3] = {
		{ 0 },
		{ .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_flags = SHF_COMPRESSED, .sh_offset = at, .sh_size = head + size },
		{ .sh_name = 13, .sh_type = SHT_STRTAB, .sh_offset = at + head + size, .sh_size = sizeof(names) },
	};

	memset(image, 0, sizeof(image));
	memcpy(image + at, is_32bit ? (void *)&c32 : (void *)&c, head);
	memcpy(image + at + head, packed, size);
	memcpy(image + at + head + size, names, sizeof(names));
	table = (at + head + size + sizeof(names) + 7) & ~(size_t)7;
	memcpy(image, ELFMAG, SELFMAG);
	image[EI_CLASS] = is_32bit ? ELFCLASS32 : ELFCLASS64;
	image[EI_DATA] = ELFDATA2LSB;
	if (is_32bit) {
		Elf32_Ehdr *h = (void *)image;

		h->e_machine = EM_386;
		h->e_shoff = (Elf32_Off)table;
		h->e_shnum = 3;
		h->e_shstrndx = 2;
		for (int i = 0; i < 3; i++)
			((Elf32_Shdr *)(void *)(image + table))[i] = (Elf32_Shdr){
				.sh_name = s[i].sh_name, .sh_type = s[i].sh_type, .sh_flags = (Elf32_Word)s[i].sh_flags,
				.sh_offset = (Elf32_Off)s[i].sh_offset, .sh_size = (Elf32_Word)s[i].sh_size,
			};
	} else {
		Elf64_Ehdr *h = (void *)image;

		h->e_machine = EM_X86_64;
		h->e_shoff = table;
		h->e_shnum = 3;
		h->e_shstrndx = 2;
		memcpy(image + table, s, sizeof(s));
	}
	return (struct span){ image, table + 3 * sizeof(Elf64_Shdr) };
}

/* Is what is packed there the plain text? */
static bool reads(bool is_32bit, unsigned int how, size_t size, size_t promised)
{
	struct elf e;
	bool good = !elf_open(&e, make_file(is_32bit, how, size, promised));
	struct span first = elf_data_of(&e, ".debug_line"), again = elf_data_of(&e, ".debug_line");

	good = good && first.at == again.at && first.size == PLAIN_SIZE && !memcmp(first.at, plain, PLAIN_SIZE);
	elf_close(&e);
	return good;
}

static void check(unsigned int how, const char *name)
{
	size_t n = pack(how);

	if (!n) {
		ok(1, "%s # SKIP the library is not installed", name);
		return;
	}
	for (int is_32bit = 0; is_32bit < 2; is_32bit++) {
		ok(reads(is_32bit, how, n, PLAIN_SIZE), "%s, %d bits", name, is_32bit ? 32 : 64);
		ok(!reads(is_32bit, how, n / 2, PLAIN_SIZE), "half of it");
		ok(!reads(is_32bit, how, n, PLAIN_SIZE - 1), "it is longer than its header says");
		ok(!reads(is_32bit, how, n, PLAIN_SIZE + 1), "it is shorter");
		ok(!reads(is_32bit, how, n, (size_t)1 << (is_32bit ? 31 : 40)), "more than any packer can do");
		ok(!reads(is_32bit, how, 0, PLAIN_SIZE), "nothing");
		ok(!reads(is_32bit, 77, n, PLAIN_SIZE), "packed in a way that nobody knows");
	}
}

/* The owner of a program cuts it short while its tables are made. */
static void check_cut(void)
{
	char path[] = "/tmp/ktap-elffile-test-XXXXXX";
	int fd = mkstemp(path);
	struct span file;

	if (fd < 0 || unlink(path) || write(fd, image, sizeof(image)) != sizeof(image))
		exit(99);
	file = file_map(fd);
	ok(file.at[0] && file_unmap(file), "a file that stays as it is");
	file = file_map(fd);
	if (ftruncate(fd, 4096))
		exit(99);
	ok(!file.at[5000] && !file.at[sizeof(image) - 1], "what is cut off reads as zeros");
	ok(!file_unmap(file), "and that is known afterwards");
	close(fd);
}

/* A section of 1 GB, which is a hole in the file, promises more bytes than any machine has. */
static void check_promise(void)
{
	enum { PACKED = 1 << 30 };
	char path[] = "/tmp/ktap-elffile-test-XXXXXX";
	struct span file = make_file(false, ELFCOMPRESS_ZLIB, 64, (size_t)1 << 40 | 1);
	int fd = mkstemp(path);
	struct elf e;

	((Elf64_Shdr *)(void *)(image + ((Elf64_Ehdr *)(void *)image)->e_shoff))[1].sh_size = PACKED;
	if (fd < 0 || unlink(path) || write(fd, image, file.size) != (ssize_t)file.size || ftruncate(fd, PACKED + ROOM))
		exit(99);
	file = file_map(fd);
	ok(!elf_open(&e, file) && !elf_data_of(&e, ".debug_line").at, "a promise of 1 TB");
	elf_close(&e);
	file_unmap(file);
	close(fd);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(plain); i++)
		plain[i] = (unsigned char)(i * i >> 7);
	check(ELFCOMPRESS_ZLIB, "zlib");
	check(ZSTD, "zstd");
	check_cut();
	check_promise();
	return tap_done();
}
