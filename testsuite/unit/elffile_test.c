/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packed sections of ELF files of 64 and of 32 bits: what zlib and zstd themselves packed comes out again, what is damaged
 * gives nothing. */
#include <dlfcn.h>
#include <errno.h>
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
	struct libraries l = { .may_load = true };
	bool good = !elf_open(&e, make_file(is_32bit, how, size, promised), &l);
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

/* The owner of a program cuts it short, or writes to it, while its tables are made. */
static void check_changes(void)
{
	char path[] = "/tmp/ktap-elffile-test-XXXXXX";
	struct span file = make_file(false, 77, 64, PLAIN_SIZE), first, again;
	int fd = mkstemp(path);
	struct elf e;

	((Elf64_Shdr *)(void *)(image + ((Elf64_Ehdr *)(void *)image)->e_shoff))[1].sh_flags = 0;
	if (fd < 0 || unlink(path) || write(fd, image, file.size) != (ssize_t)file.size)
		exit(99);
	ok(!elf_open_fd(&e, fd, NULL) && e.n_sections == 3, "a file is opened");
	first = elf_data_of(&e, ".debug_line");
	ok(first.at && !memcmp(first.at, image + e.sections[1].sh_offset, first.size), "a section of it");
	if (pwrite(fd, "written", 7, (off_t)e.sections[1].sh_offset) != 7 || pwrite(fd, "\0written", 8, (off_t)e.sections[2].sh_offset) != 8)
		exit(99);
	again = elf_data_of(&e, ".debug_line");
	ok(again.at == first.at && !memcmp(again.at, image + e.sections[1].sh_offset, again.size), "stays as it was read");
	elf_close(&e);
	ok(!elf_open_fd(&e, fd, NULL) && !elf_data_of(&e, ".debug_line").at, "its name is another one now");
	elf_close(&e);
	if (ftruncate(fd, 80))
		exit(99);
	ok(!elf_open_fd(&e, fd, NULL) && !e.n_sections, "a file that was cut off has no sections");
	elf_close(&e);
	close(fd);
}

/* A section of 1 GB, which is a hole in the file, promises more bytes than any machine has; one of 1 TB is not even copied. */
static void check_promise(void)
{
	enum { PACKED = 1 << 20 };
	char path[] = "/tmp/ktap-elffile-test-XXXXXX";
	struct span file = make_file(false, ELFCOMPRESS_ZLIB, 64, (size_t)1 << 40 | 1);
	Elf64_Shdr *s = &((Elf64_Shdr *)(void *)(image + ((Elf64_Ehdr *)(void *)image)->e_shoff))[1];
	struct libraries l = { .may_load = true };
	int fd = mkstemp(path);
	struct elf e;

	s->sh_size = PACKED;
	if (fd < 0 || unlink(path) || write(fd, image, file.size) != (ssize_t)file.size || ftruncate(fd, (off_t)2 << 40))
		exit(99);
	ok(!elf_open_fd(&e, fd, &l) && !elf_data_of(&e, ".debug_line").at, "a promise of 1 TB");
	elf_close(&e);
	s->sh_size = 1ul << 40;
	s->sh_flags = 0;
	if (pwrite(fd, image, file.size, 0) != (ssize_t)file.size)
		exit(99);
	ok(!elf_open_fd(&e, fd, &l) && !elf_too_large(&e) && !elf_data_of(&e, ".debug_line").at && elf_too_large(&e), "a hole of 1 TB");
	elf_close(&e);
	close(fd);
}

/* Copies of whole files. */
static void check_copy(void)
{
	char path[] = "/tmp/ktap-elffile-test-XXXXXX";
	int fd = mkstemp(path), pipes[2];
	struct span copy;

	if (fd < 0 || unlink(path) || pipe(pipes))
		exit(99);
	ok(!file_copy(fd, 100).at && errno == ENOEXEC, "an empty file");
	if (write(fd, "text", 4) != 4)
		exit(99);
	copy = file_copy(fd, 100);
	ok(copy.size == 4 && !memcmp(copy.at, "text", 4), "a file");
	free((void *)(size_t)copy.at);
	ok(!file_copy(fd, 3).at && errno == EFBIG, "one that is too large");
	ok(!file_copy(pipes[0], 100).at && errno == ENOEXEC, "a pipe");
	close(pipes[0]);
	close(pipes[1]);
	close(fd);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(plain); i++)
		plain[i] = (unsigned char)(i * i >> 7);
	check(ELFCOMPRESS_ZLIB, "zlib");
	check(ZSTD, "zstd");
	check_changes();
	check_promise();
	check_copy();
	return tap_done();
}
