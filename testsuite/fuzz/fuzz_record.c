/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fuzz target: kt_format_record(), as the loader uses it on what it read from a module. The input is a NUL-terminated
 * format and the payload of a record. Checked: strings lie within the payload, and what was decoded can be printed.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/core/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kt_arg args[KT_ARGS_MAX];
	size_t len = strnlen((const char *)data, size);
	char *format = malloc(len + 1), *payload, out[64];
	size_t n = size > len ? size - len - 1 : 0;
	kt_s32 n_args;

	memcpy(format, data, len);
	format[len] = 0;
	payload = malloc(n ? n : 1);
	if (n)
		memcpy(payload, data + len + 1, n);
	n_args = kt_format_record(format, payload, n, args, KT_ARGS_MAX);
	for (kt_s32 i = 0; i < n_args; i++) {
		if (args[i].string && args[i].len &&
		    (args[i].string < payload || args[i].string + args[i].len > payload + n))
			abort();
	}
	if (n_args >= 0)
		kt_format(out, sizeof(out), format, args, n_args);
	free(payload);
	free(format);
	return 0;
}
