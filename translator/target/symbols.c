/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System.map: the kernel's functions and variables by name and linked address, where there is no debugging information or none is needed.
 *
 * A line is ADDRESS TYPE NAME. Functions are of type T, t, W or w; variables of B, b, D, d, R, r, V or v, and of T or t where the
 * section .data is executable, as in 7.2. The address of a variable per CPU is a small offset.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "translator/base/arena.h"
#include "translator/base/text.h"
#include "translator/base/vec.h"
#include "translator/target/denied.h"
#include "translator/target/kernel.h"
#include "translator/target/target.h"

/* Prefixes of symbols that are not functions: padding before functions, and checks of control flow integrity. */
static const char *const padding[] = { "__pfx_", "__cfi_", NULL };

/* The text of the map of K, read once: there is one kernel in a run, rarely two. NULL: it has none. */
static const char *map_of(const struct kernel *k)
{
	static const struct kernel *last;
	static struct text text;

	if (last == k)
		return text.len ? text_str(&text) : NULL;
	last = k;
	text_clear(&text);
	if (k->system_map && !text_read_file(&text, k->system_map))
		text_clear(&text);
	return text.len ? text_str(&text) : NULL;
}

/* One line; false: it is malformed. *S moves to the next. */
static bool next_symbol(const char **s, uint64_t *ret_address, char *ret_type, const char **ret_name, size_t *ret_len)
{
	char *end;
	const char *p = *s;

	*ret_address = strtoull(p, &end, 16);
	*s = p + strcspn(p, "\n");
	*s += **s == '\n';
	if (end == p || end[0] != ' ' || !end[1] || end[2] != ' ')
		return false;
	*ret_type = end[1];
	*ret_name = end + 3;
	*ret_len = strcspn(*ret_name, "\n");
	return true;
}

bool symbol_is_padding(const char *name)
{
	for (const char *const *p = padding; *p; p++)
		if (!strncmp(name, *p, strlen(*p)))
			return true;
	return false;
}

bool kernel_name_is_odd(const char *name)
{
	return strpbrk(name, "\"\\") || text_has_control(name);
}

/* Where code that cannot be probed begins and ends; 0: the map has no such symbol. */
struct range {
	uint64_t start, end;
};

/* Finds the range of each of denied_sections in MAP. */
static void find_ranges(const char *map, struct range ret[DENIED_SECTIONS])
{
	const char *name;
	uint64_t address;
	size_t len;
	char type;

	memset(ret, 0, DENIED_SECTIONS * sizeof(*ret));
	while (*map) {
		if (!next_symbol(&map, &address, &type, &name, &len) || *name != '_')
			continue;
		for (int i = 0; i < DENIED_SECTIONS; i++) {
			if (!strncmp(denied_sections[i].start, name, len) && !denied_sections[i].start[len])
				ret[i].start = address;
			if (!strncmp(denied_sections[i].end, name, len) && !denied_sections[i].end[len])
				ret[i].end = address;
		}
	}
}

/* The address in MAP of SYMBOL, written " NAME\n"; 0: it is not there. */
static uint64_t address_of(const char *map, const char *symbol)
{
	const char *at = strstr(map, symbol);

	while (at && at > map && at[-1] != '\n')
		at--;
	return at ? strtoull(at, NULL, 16) : 0;
}

static struct range data_range(const char *map)
{
	return (struct range){ address_of(map, " _sdata\n"), address_of(map, " _edata\n") };
}

static bool is_variable(char type, uint64_t address, struct range data)
{
	return strchr("BbDdRrVvAG", type) || (data.start && address >= data.start && address <= data.end);
}

static bool is_function(char type, const char *name, uint64_t address, struct range data)
{
	return strchr("TtWw", type) && !symbol_is_padding(name) && !is_variable(type, address, data);
}

bool kernel_symbols(const struct kernel *k,
		    void (*fn)(const char *name, uint64_t address, const char *denied, void *data), void *data)
{
	struct range range[DENIED_SECTIONS], data_section;
	const char *map = map_of(k);

	if (!map)
		return false;
	find_ranges(map, range);
	data_section = data_range(map);
	for (const char *s = map; *s;) {
		const char *name, *why = NULL;
		uint64_t address;
		size_t len;
		char type, copy[512];

		if (!next_symbol(&s, &address, &type, &name, &len) || len >= sizeof(copy))
			continue;
		memcpy(copy, name, len);
		copy[len] = 0;
		if (!is_function(type, copy, address, data_section))
			continue;
		for (int i = 0; i < DENIED_SECTIONS && !why; i++)
			if (range[i].start && address >= range[i].start && address < range[i].end)
				why = denied_sections[i].why;
		fn(copy, address, why, data);
	}
	return true;
}

/* Functions that cannot be probed, sorted by name. WHY is NULL where another function of the name can be. */
struct denied_name {
	const char *name, *why;
};
struct denied_names {
	const struct kernel *kernel;
	struct denied_name *v;
	size_t n;
};

static int compare_denied(const void *va, const void *vb)
{
	const struct denied_name *a = va, *b = vb;

	return strcmp(a->name, b->name);
}

static void add_denied(const char *name, uint64_t address, const char *why, void *data)
{
	struct denied_names *d = data;

	if (!why)
		return;
	*vec_add(d->v, d->n) = (struct denied_name){ intern(name), why };
}

static struct denied_name *find_denied(const struct denied_names *d, const char *name)
{
	const struct denied_name key = { name, NULL };

	return d->n ? bsearch(&key, d->v, d->n, sizeof(*d->v), compare_denied) : NULL;
}

static void allow_named(const char *name, uint64_t address, const char *why, void *data)
{
	struct denied_name *found = why ? NULL : find_denied(data, name);

	if (found)
		found->why = NULL;
}

const char *kernel_symbol_denied(const struct kernel *k, const char *name)
{
	static struct denied_names names;
	const struct denied_name *found;

	if (names.kernel != k) {
		names.kernel = k;
		names.n = 0;
		if (kernel_symbols(k, add_denied, &names) && names.n)
			qsort(names.v, names.n, sizeof(*names.v), compare_denied);
		kernel_symbols(k, allow_named, &names);
	}
	found = find_denied(&names, name);
	return found ? found->why : NULL;
}

/* Is the symbol where each CPU's own data begins, an offset and no address? */
static bool is_per_cpu(uint64_t address)
{
	return address >> 63 == 0;
}

bool kernel_variable(const struct kernel *k, const char *name, struct kernel_variable *ret, struct nearest *near)
{
	size_t name_len = strlen(name);
	const char *map = map_of(k);
	struct range data = map ? data_range(map) : (struct range){ 0 };
	bool global = false;

	*ret = (struct kernel_variable){ 0 };
	for (const char *s = map ? map : ""; *s;) {
		const char *at;
		uint64_t address;
		size_t len;
		char type;

		if (!next_symbol(&s, &address, &type, &at, &len))
			continue;
		if (ret->number && !ret->size && address > ret->address)
			ret->size = address - ret->address;
		if (global && ret->size)
			break;
		if (!is_variable(type, address, data))
			continue;
		if (near && !ret->number)
			nearest_add(near, arena_printf(&program_arena, "%.*s", (int)len, at));
		if (len != name_len || memcmp(at, name, len) || global)
			continue;
		if (is_per_cpu(address)) {
			ret->per_cpu = true;
			return false;
		}
		global = isupper((unsigned char)type);
		ret->number = global ? 1 : ret->number + 1;
		ret->address = address;
		ret->size = 0;
	}
	return ret->number > 0;
}
