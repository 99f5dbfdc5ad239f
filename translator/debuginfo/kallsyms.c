/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's own symbol table, read from an unpacked boot image. Nothing in the image says where it is: scripts/kallsyms.c of the kernel
 * writes these arrays into .rodata, each aligned, and they are found by what they must contain.
 *
 *	offsets        s32 for each symbol  \  before the names until v6.4, after token_index since (404bad70fcf7)
 *	relative_base  u64                  /
 *	num_syms       u32
 *	names          for each symbol its length, in one byte or two, and as many numbers of tokens; the first character is the type
 *	markers        u32 for each 256th symbol: where its name begins
 *	token_table    256 strings
 *	token_index    u16 for each: where it begins
 *
 * Symbols are in order of address. An offset counts from relative_base. Where the addresses of variables per CPU are absolute, it is
 * such an address, and of all others the complement.
 */
#include "translator/debuginfo/kallsyms.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TOKENS = 256, TABLE_MAX = 4096, SYMBOLS_MIN = 1000, SYMBOLS_MAX = 4 << 20, ALIGN = 8, NAME_MAX_LENGTH = 1024 };

struct kallsyms {
	const unsigned char *image;
	size_t size;
	size_t token_index, token_table; /* offsets in the image */
	size_t num_syms, names, names_end;
	uint32_t n;
	size_t offsets;
	uint64_t base;
	bool percpu_absolute;
};

static size_t aligned(size_t at)
{
	return (at + ALIGN - 1) & ~(size_t)(ALIGN - 1);
}

static uint16_t u16_at(const struct kallsyms *k, size_t at)
{
	uint16_t v;

	memcpy(&v, k->image + at, sizeof(v));
	return v;
}

static uint32_t u32_at(const struct kallsyms *k, size_t at)
{
	uint32_t v;

	memcpy(&v, k->image + at, sizeof(v));
	return v;
}

static uint64_t u64_at(const struct kallsyms *k, size_t at)
{
	uint64_t v;

	memcpy(&v, k->image + at, sizeof(v));
	return v;
}

static const char *token(const struct kallsyms *k, unsigned number)
{
	return (const char *)k->image + k->token_table + u16_at(k, k->token_index + 2 * number);
}

/* ---- tokens ---- */
/* Do the tokens that the array at INDEX counts begin at TABLE, each after the end of the one before? */
static bool is_token_table(const struct kallsyms *k, size_t table, size_t index)
{
	size_t end = table;

	for (unsigned i = 0; i < TOKENS; i++) {
		size_t at = table + u16_at(k, index + 2 * i);

		if (at != end)
			return false;
		while (end < index && isgraph(k->image[end]))
			end++;
		if (end >= index || k->image[end])
			return false;
		end++;
	}
	return aligned(end) == index;
}

/* Finds token_index, whose numbers grow, and the table in front of it. */
static bool find_tokens(struct kallsyms *k)
{
	for (size_t at = ALIGN; at + 2 * TOKENS <= k->size; at += ALIGN) {
		unsigned i = 1;

		if (u16_at(k, at))
			continue;
		while (i < TOKENS && u16_at(k, at + 2 * i) > u16_at(k, at + 2 * i - 2) && u16_at(k, at + 2 * i) < TABLE_MAX)
			i++;
		if (i < TOKENS)
			continue;
		for (size_t table = at - ALIGN; at - table <= TABLE_MAX && table >= ALIGN; table -= ALIGN)
			if (is_token_table(k, table, at)) {
				k->token_table = table;
				k->token_index = at;
				return true;
			}
	}
	return false;
}

/* ---- names ---- */
/* The length of the name at *AT, which moves to its tokens; 0: there can be none. Until v6.1 lengths have one byte. */
static size_t name_length(const struct kallsyms *k, size_t *at)
{
	size_t length = k->image[(*at)++];

	if (length & 0x80)
		length = (length & 0x7f) | (size_t)k->image[(*at)++] << 7;
	return *at + length < k->token_table ? length : 0;
}

/* Is the array of names at AT, with N of them, and the markers of it behind it? */
static bool are_names(struct kallsyms *k, size_t at, uint32_t n)
{
	size_t end = at, second = 0, length;

	for (uint32_t i = 0; i < n; i++) {
		if (i == TOKENS)
			second = end - at;
		length = name_length(k, &end);
		if (!length || !strchr("aAbBcCdDgGiInNrRsSTtuUvVwW?", token(k, k->image[end])[0]))
			return false;
		end += length;
	}
	k->names_end = end;
	end = aligned(end);
	return end + 8 <= k->token_table && !u32_at(k, end) && u32_at(k, end + 4) == second;
}

static bool find_names(struct kallsyms *k)
{
	for (size_t at = k->token_table - ALIGN; at >= ALIGN; at -= ALIGN) {
		uint32_t n = u32_at(k, at);

		if (n < SYMBOLS_MIN || n > SYMBOLS_MAX || u32_at(k, at + 4) || n > k->token_table - at || !are_names(k, at + ALIGN, n))
			continue;
		k->num_syms = at;
		k->names = at + ALIGN;
		k->n = n;
		return true;
	}
	return false;
}

/* ---- addresses ---- */
static uint64_t address_of(const struct kallsyms *k, uint32_t i)
{
	int32_t offset = (int32_t)u32_at(k, k->offsets + 4 * (size_t)i);

	if (!k->percpu_absolute)
		return k->base + (uint32_t)offset;
	return offset >= 0 ? (uint64_t)offset : k->base - 1 - (int64_t)offset;
}

/* Are the addresses those of a kernel, in order? */
static bool are_addresses(struct kallsyms *k, size_t offsets, size_t base)
{
	uint64_t last = 0;

	if (base + 8 > k->size || offsets > base)
		return false;
	k->offsets = offsets;
	k->base = u64_at(k, base);
	if (!(k->base >> 63))
		return false;
	for (uint32_t i = 0; i < k->n; i++) {
		uint64_t address = address_of(k, i);

		if (address < last || (address >> 63 && address < k->base))
			return false;
		last = address;
	}
	return last >> 63;
}

static bool find_addresses(struct kallsyms *k)
{
	size_t bytes = aligned(4 * (size_t)k->n), after = aligned(k->token_index + 2 * TOKENS);

	for (int absolute = 1; absolute >= 0; absolute--) {
		k->percpu_absolute = absolute;
		if (k->num_syms > bytes + ALIGN &&
		    are_addresses(k, k->num_syms - ALIGN - bytes, k->num_syms - ALIGN))
			return true;
		if (are_addresses(k, after, after + bytes))
			return true;
	}
	return false;
}

/* ---- output ---- */
static void write_symbols(const struct kallsyms *k, struct text *out)
{
	size_t at = k->names;

	for (uint32_t i = 0; i < k->n; i++) {
		size_t end = name_length(k, &at);
		const char *type = token(k, k->image[at]);

		end += at;
		text_printf(out, "%016llx %c %s", (unsigned long long)address_of(k, i), type[0], type + 1);
		while (++at < end)
			text_puts(out, token(k, k->image[at]));
		text_puts(out, "\n");
	}
}

bool kallsyms_read(const char *image, size_t size, struct text *out)
{
	struct kallsyms k = { .image = (const unsigned char *)image, .size = size };

	if (!find_tokens(&k) || !find_names(&k) || !find_addresses(&k))
		return false;
	write_symbols(&k, out);
	return true;
}
