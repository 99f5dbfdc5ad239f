/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzz target: kt_format(). The input is a size, numbers, a NUL-terminated format, and text for strings. Checked: no
 * byte outside the buffer is written, and the wanted length does not depend on the room.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/core/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kt_arg args[8];
	char *format, *text, *room;
	kt_u32 n, want;
	size_t len;

	if (size < 1 + 8 * 8)
		return 0;
	n = data[0];
	for (int i = 0; i < 8; i++) {
		args[i] = (struct kt_arg){ 0 };
		memcpy(&args[i].number, data + 1 + 8 * i, 8);
	}
	data += 1 + 8 * 8;
	size -= 1 + 8 * 8;
	len = strnlen((const char *)data, size);
	format = malloc(len + 1);
	memcpy(format, data, len);
	format[len] = 0;
	text = malloc(size - len + 1);
	memcpy(text, data + len, size - len);
	text[size - len] = 0;
	for (int i = 1; i < 8; i += 2) {
		args[i].string = text + (size > len && text[0] == 0);
		args[i].len = args[i].number & 1 && size > len + 1 ? size - len - 1 : 0;
	}
	room = malloc(n + 1);
	want = kt_format(room, n, format, args, 8);
	if (n && want < n && room[want])
		abort();
	if (kt_format(NULL, 0, format, args, 8) != want)
		abort();
	free(room);
	free(text);
	free(format);
	return 0;
}
