/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notes of marks: .note.stapsdt.
 *
 * A note holds the address of the mark, the address that .stapsdt.base had when the addresses were written, that of the
 * semaphore, then three strings: provider, name, and the arguments as "SIZE@OPERAND" with spaces between them. SIZE is
 * negative for signed types, and has an f after it for floating point. Without "SIZE@" the name of a register says how wide
 * the argument is, and it has no sign; any other is a signed word.
 */
#include "translator/debuginfo/sdt.h"

#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/text.h"
#include "translator/debuginfo/elf.h"
#include "translator/machine/location.h"

enum { NOTE_SDT = 3 };

/* A string of the note at *P, which moves after it; NULL: it does not end. */
static const char *note_string(const char **p, const char *end)
{
	const char *s = *p, *nul = memchr(s, 0, (size_t)(end - s));

	if (!nul)
		return NULL;
	*p = nul + 1;
	return s;
}

/* Length of a type at S, "-4@" or "8f@"; 0: there is none. */
static size_t type_length(const char *s)
{
	size_t n = *s == '-';

	n += strspn(s + n, "0123456789");
	n += s[n] == 'f';
	return n && s[n] == '@' && (s[n - 1] != '-') ? n + 1 : 0;
}

static void read_argument(const struct sdt_file *f, const struct sdt_mark *m, struct sdt_argument *a, const char *text, size_t len)
{
	size_t n = type_length(text);
	char operand[SDT_OPERAND_MAX];
	long size = n ? strtol(text, NULL, 10) : 0;
	struct sdt_operand op;
	unsigned width = 0;

	a->is_signed = size < 0;
	a->size = size < -8 || size > 8 ? 0 : (unsigned)labs(size);
	if (n && a->size != 1 && a->size != 2 && a->size != 4 && a->size != 8) {
		a->size = 8;
		a->location = location_none("it has no size that a long holds");
	} else if (n > 1 && text[n - 2] == 'f') {
		a->location = location_none("it is a floating point number");
	} else if (!f->machine || !f->machine->operand) {
		a->location = location_none("the operands of marks are not known on this machine");
	} else if (len - n >= sizeof(operand)) {
		a->location = location_none("its operand is too long");
	} else {
		memcpy(operand, text + n, len - n);
		operand[len - n] = 0;
		op = (struct sdt_operand){ operand, a->size, m->address };
		a->location = f->machine->operand(f, &op, &width);
	}
	if (n)
		return;
	a->is_signed = !width;
	a->size = width ? width : f->is_32bit ? 4 : 8;
}

/* Operands may hold spaces: an argument ends where the next type begins. */
void sdt_read_arguments(const struct sdt_file *f, struct sdt_mark *m, const char *s)
{
	while (m->n_args < SDT_ARGS_MAX) {
		size_t len, typed;

		s += strspn(s, " ");
		if (!*s)
			return;
		typed = type_length(s);
		for (len = typed; s[len]; len++)
			if (s[len] == ' ' && (!typed || !f->machine || !f->machine->operands_hold_blanks || type_length(s + len + 1)))
				break;
		read_argument(f, m, &m->arg[m->n_args], s, len);
		m->n_args++;
		s += len;
	}
}

/* Addresses wrap as the program's do. */
static uint64_t moved_address(const struct sdt_file *f, uint64_t address)
{
	return f->is_32bit ? (uint32_t)address : address;
}

static struct sdt_mark *read_note(const struct sdt_file *f, const char *p, size_t size)
{
	size_t address = f->is_32bit ? 4 : 8;
	uint64_t word[3] = {};
	const char *end = p + size, *provider, *name, *arguments;
	struct sdt_mark *m;
	uint64_t moved;

	if (size < 3 * address)
		return NULL;
	for (int i = 0; i < 3; i++, p += address)
		memcpy(&word[i], p, address);
	provider = note_string(&p, end);
	name = provider ? note_string(&p, end) : NULL;
	arguments = name ? note_string(&p, end) : NULL;
	if (!arguments || text_has_control(provider) || text_has_control(name))
		return NULL;
	m = arena_new(&program_arena, struct sdt_mark);
	m->provider = arena_strdup(&program_arena, provider);
	m->name = arena_strdup(&program_arena, name);
	/* prelink(8) moves addresses and leaves notes as they are. */
	moved = f->base && word[1] ? f->base - word[1] : 0;
	m->address = moved_address(f, word[0] + moved);
	m->semaphore = word[2] ? moved_address(f, word[2] + moved) : 0;
	sdt_read_arguments(f, m, arguments);
	return m;
}

struct sdt_mark *sdt_read(const struct sdt_file *f, const void *notes, size_t size)
{
	struct sdt_mark *first = NULL, **end = &first;
	struct elf_note n;

	while (elf_next_note(&notes, &size, &n)) {
		if (n.type != NOTE_SDT || n.name_size != sizeof("stapsdt") || memcmp(n.name, "stapsdt", sizeof("stapsdt")))
			continue;
		*end = read_note(f, (const char *)n.desc, n.size);
		if (*end)
			end = &(*end)->next;
	}
	return first;
}
