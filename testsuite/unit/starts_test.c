/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where processes of a program start: in the program or in its dynamic loader. Files of others are not read by this process. */
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/proc.h"
#include "runtime/loader/starts.h"
#include "testsuite/unit/tap.h"

static const char *program; /* that the module names */
static struct kt_program_start given;
static ino_t given_file;

static int fake_ioctl(int fd, unsigned int request, void *arg)
{
	const struct kt_text_request *text = arg;
	struct stat st;

	if (request == KT_IOC_TEXT)
		strcpy((char *)(unsigned long)text->buffer, program);
	if (request == KT_IOC_PROGRAM) {
		given = *(struct kt_program_start *)arg;
		given_file = fstat(given.fd, &st) ? 0 : st.st_ino;
	}
	return 0;
}

/* Makes the file NAME: its code is at 0x1000, its first instruction at 0x1000 + ENTRY. INTERPRETER: its dynamic loader, or NULL. NAMES: the
 * bytes of the names of its sections, a hole. */
static const char *make(const char *dir, const char *name, unsigned int entry, const char *interpreter, size_t names)
{
	const char *path = arena_printf(&program_arena, "%s/%s", dir, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0700);
	struct {
		Elf64_Ehdr head;
		Elf64_Phdr segments[2];
		Elf64_Shdr sections[2];
		char interpreter[256];
	} f = {
		.head = {
			.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT }, .e_type = ET_DYN, .e_machine = EM_X86_64,
			.e_entry = 0x401000 + entry, .e_phoff = sizeof(f.head), .e_phnum = 2, .e_phentsize = sizeof(Elf64_Phdr),
			.e_shoff = sizeof(f.head) + sizeof(f.segments), .e_shnum = 2, .e_shentsize = sizeof(Elf64_Shdr), .e_shstrndx = 1,
		},
		.segments = {
			{ .p_type = PT_LOAD, .p_offset = 0x1000, .p_vaddr = 0x401000, .p_filesz = 0x1000 },
			{ .p_type = interpreter ? PT_INTERP : PT_NULL, .p_offset = offsetof(__typeof__(f), interpreter),
			  .p_filesz = interpreter ? strlen(interpreter) + 1 : 0 },
		},
		.sections = { { 0 }, { .sh_type = SHT_STRTAB, .sh_offset = 0x2000, .sh_size = names } },
	};

	if (interpreter)
		strcpy(f.interpreter, interpreter);
	if (fd < 0 || write(fd, &f, sizeof(f)) != sizeof(f) || ftruncate(fd, (off_t)(0x2000 + names)) || close(fd))
		exit(99);
	return path;
}

static ino_t file_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_ino;
}

/* Gives the module the start of PATH. Returns whether it is at OFFSET in the file FILE. */
static bool starts_at(struct control *c, const char *path, const char *file, kt_u64 offset)
{
	program = path;
	given = (struct kt_program_start){ .fd = -1 };
	given_file = 0;
	starts_give(c, &(struct apart_limits){ .seconds = 20 });
	control_close(c);
	return given_file == file_of(file) && given.offset == offset;
}

/* The most memory that this process had, in kB. */
static long memory(void)
{
	struct rusage u;

	return getrusage(RUSAGE_SELF, &u) ? 0 : u.ru_maxrss;
}

int main(void)
{
	static const struct loader_sys sys = { .root = "", .ioctl = fake_ioctl };
	struct control c = { .vehicle = &module_vehicle, .of = &c, .sys = &sys, .fd = -1, .info = { .n_programs = 1 } };
	char dir[] = "/tmp/ktap-starts-test-XXXXXX";
	const char *plain, *dynamic, *hostile, *fifo;
	long before;

	c.n_texts[KT_TEXT_PROGRAM] = 1;
	if (!mkdtemp(dir))
		return 99;
	plain = make(dir, "plain", 0x123, NULL, 16);
	dynamic = make(dir, "dynamic", 0x456, plain, 16);
	hostile = make(dir, "hostile", 0x789, NULL, 900u << 20);
	fifo = arena_printf(&program_arena, "%s/fifo", dir);
	if (mkfifo(fifo, 0600))
		return 99;
	ok(starts_at(&c, plain, plain, 0x1123), "a program without a dynamic loader starts in itself");
	ok(starts_at(&c, dynamic, plain, 0x1123), "another one in its dynamic loader");
	before = memory();
	ok(starts_at(&c, hostile, hostile, 0x1789), "one whose names are a hole of 900 MB");
	ok(memory() - before < 100000, "which this process does not read");
	starts_at(&c, fifo, "", 0);
	ok(given.fd < 0, "a FIFO is no program");
	return proc_run(&(struct proc){ .argv = (const char *const[]){ "rm", "-rf", dir, NULL } }) ? 99 : tap_done();
}
