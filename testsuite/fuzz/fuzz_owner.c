/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzz target: the owner of a program writes its file while its tables are made. A thread changes bytes of headers, tables and strings at random,
 * as the input says, while the file is read; the tables that come out must be good all the same.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/loader/object.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The victim: a program of the build with symbols and lines, in memory that both threads share. */
static struct {
	int fd;
	unsigned char *at, *original;
	size_t size;
	_Atomic uint64_t random;
	atomic_bool writes;
} victim = { .fd = -1 };

static uint64_t below(uint64_t n)
{
	uint64_t x = victim.random;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	victim.random = x;
	return x % n;
}

/* Changes a byte of a header, of the section table, or of a section. */
static void change(void)
{
	const Elf64_Ehdr *h = (const void *)victim.original;
	const Elf64_Shdr *s = (const void *)(victim.original + h->e_shoff), *one = &s[below(h->e_shnum)];
	static const unsigned char odd[] = { 0, 1, 0x7f, 0x80, 0xff };
	size_t at = below(sizeof(*h));

	switch (below(8)) {
	case 0:
		break;
	case 1:
		at = h->e_shoff + below(h->e_shnum * sizeof(*s));
		break;
	default:
		if (one->sh_type == SHT_NOBITS || !one->sh_size)
			return;
		at = one->sh_offset + below(one->sh_size);
	}
	if (at < victim.size)
		victim.at[at] = below(4) ? odd[below(sizeof(odd))] : victim.original[at];
}

static void *write_always(void *arg)
{
	while (!arg) /* it ends with the process */
		if (victim.writes)
			change();
	return NULL;
}

static void make_victim(void)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 32);
	pthread_t thread;
	FILE *f;

	path[n > 0 ? n : 0] = 0;
	for (int i = 0; i < 3 && strrchr(path, '/'); i++)
		*strrchr(path, '/') = 0;
	strcat(path, "/ktap-vm");
	f = fopen(path, "re");
	if (!f || fseek(f, 0, SEEK_END))
		exit(77);
	victim.size = (size_t)ftell(f);
	victim.original = malloc(victim.size);
	rewind(f);
	victim.fd = memfd_create("victim", MFD_CLOEXEC);
	if (fread(victim.original, victim.size, 1, f) != 1 || ftruncate(victim.fd, (off_t)victim.size))
		exit(99);
	fclose(f);
	victim.at = mmap(NULL, victim.size, PROT_READ | PROT_WRITE, MAP_SHARED, victim.fd, 0);
	if (victim.at == MAP_FAILED || pthread_create(&thread, NULL, write_always, NULL))
		exit(99);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct libraries l = { .may_load = true };
	struct elf e, none = { 0 };
	struct object o;

	if (victim.fd < 0)
		make_victim();
	memcpy(victim.at, victim.original, victim.size);
	victim.random = 0x9e3779b97f4a7c15;
	for (size_t i = 0; i < size; i++)
		victim.random = (victim.random ^ data[i]) * 1099511628211u | 1;
	victim.writes = true;
	if (!elf_open_fd(&e, victim.fd, &l) && !object_of_elf(&o, &e, &none, "victim", true)) {
		struct kt_unwind_table t;

		if (kt_unwind_open(&t, o.block, o.size))
			abort();
		object_deinit(&o);
	}
	elf_close(&e);
	victim.writes = false;
	return 0;
}
