/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's functions and variables by name and linked address, where there is no debugging information or none is needed: from
 * System.map, or from the table that the kernel has for itself, in the boot image or in /proc/kallsyms.
 *
 * A line is ADDRESS TYPE NAME. Functions are of type T, t, W or w; variables of B, b, D, d, R, r, V or v, and of T or t where the
 * section .data is executable, as in 7.2. The address of a variable per CPU is a small offset.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/arena.h"
#include "lib/rows.h"
#include "lib/text.h"
#include "lib/vec.h"
#include "translator/debuginfo/denied.h"
#include "translator/debuginfo/elf.h"
#include "translator/debuginfo/kallsyms.h"
#include "translator/debuginfo/kernel.h"
#include "translator/debuginfo/store.h"
#include "translator/debuginfo/target.h"
#include "translator/debuginfo/vmlinuz.h"

/* Prefixes of symbols that are not functions: padding before functions, and checks of control flow integrity. */
static const char *const padding[] = { "__pfx_", "__cfi_", NULL };

/* Unpacks K's boot image and reads its symbols. An image of another build than the running kernel's, which was replaced, has none. */
static bool unpack_image(const struct kernel *k, struct text *map)
{
	_cleanup_text_ struct text image = {};
	const char *why;
	bool ok = false;

	if (vmlinuz_unpack(k->vmlinuz, &image, &why)) {
		struct elf_file *e = elf_in_memory(k->vmlinuz, image.buf, image.len);

		ok = e && (!k->build_id || !e->build_id || !strcmp(k->build_id, e->build_id)) &&
		     kallsyms_read(image.buf, image.len, map);
		elf_close(e);
	}
	return ok;
}

/* Unpacking takes a second: the symbols are kept under the image's name, size and time. */
static bool read_image(const struct kernel *k, struct text *map)
{
	_cleanup_free_ char *name = NULL;
	struct stat st;
	size_t size;
	void *kept;

	if (!k->vmlinuz || stat(k->vmlinuz, &st))
		return false;
	name = xasprintf("symbols-%s-%llx-%llx.map", k->release, (unsigned long long)st.st_size, (unsigned long long)st.st_mtime);
	kept = store_map(name, &size);
	if (kept) {
		text_append(map, kept, size);
		store_unmap(kept, size);
		return true;
	}
	if (!unpack_image(k, map))
		return false;
	store_write(name, map->buf, map->len);
	return true;
}

/* Reads the addresses of the running kernel, without those of modules. Only root gets them. */
static bool read_running(const struct kernel *k, struct text *map)
{
	_cleanup_text_ struct text all = {};

	if (k->build_id && text_read_file(&all, "/proc/kallsyms"))
		for (const char *line = text_str(&all), *end; *line; line = end) {
			end = line + strcspn(line, "\n");
			end += *end == '\n';
			if (!memchr(line, '\t', (size_t)(end - line)))
				text_append(map, line, (size_t)(end - line));
		}
	return map->len && strtoull(text_str(map), NULL, 16);
}

/* The text of the map of K, read once. NULL: it has none. */
static const char *map_of(const struct kernel *k)
{
	struct text *map = &k->kept->map;

	if (!k->kept->map_read) {
		k->kept->map_read = true;
		if (!(k->system_map && text_read_file(map, k->system_map)) && !read_image(k, map) && !read_running(k, map))
			text_clear(map);
	}
	return map->len ? text_str(map) : NULL;
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

bool kernel_symbols(const struct kernel *k, void (*fn)(const struct kernel_function *f, void *data), void *data)
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
		fn(&(struct kernel_function){ copy, address, why, NULL }, data);
	}
	return true;
}

/* ---- by name ---- */
static int compare_functions(const void *va, const void *vb)
{
	const struct kernel_function *a = va, *b = vb;
	int c = strcmp(a->name, b->name);

	return c ? c : order_of(a->address, b->address);
}

void functions_add(const struct kernel_function *f, void *data)
{
	struct function_table *t = data;

	*vec_add(t->v, t->n) = (struct kernel_function){ intern(f->name), f->address, f->denied, NULL };
}

void functions_sort(struct function_table *t)
{
	sort_rows(t->v, t->n, compare_functions);
}

size_t functions_named(const struct function_table *t, const char *name, const struct kernel_function **ret)
{
	const struct kernel_function first = { .name = name };
	size_t lo = rows_before(&first, t->v, t->n, sizeof(*t->v), compare_functions), found = 0;

	*ret = t->n ? t->v + lo : NULL;
	while (lo + found < t->n && !strcmp((*ret)[found].name, name))
		found++;
	return found;
}

size_t kernel_functions_named(const struct kernel *k, const char *name, const struct kernel_function **ret)
{
	struct function_table *all = &k->kept->functions;

	if (!k->kept->functions_read) {
		k->kept->functions_read = true;
		if (kernel_symbols(k, functions_add, all))
			functions_sort(all);
	}
	return functions_named(all, name, ret);
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
