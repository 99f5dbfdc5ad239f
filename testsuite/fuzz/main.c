/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a fuzz target without libFuzzer: on the files given, else on -n N random inputs (default 100,000) that start
 * from seed 1 or -s SEED. So `make check` exercises the targets with any compiler; clang -fsanitize=fuzzer links them
 * without this file.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { INPUT_MAX = 4096 };

static uint64_t seed = 1;

static uint32_t dice(uint32_t n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(seed >> 33) % n;
}

static void run_file(const char *path)
{
	static uint8_t data[1 << 20];
	FILE *f = fopen(path, "rb");
	uint8_t *copy;
	size_t n;

	if (!f) {
		perror(path);
		exit(1);
	}
	n = fread(data, 1, sizeof(data), f);
	fclose(f);
	copy = malloc(n ? n : 1); /* of the very size, so that the sanitizer sees the end */
	memcpy(copy, data, n);
	LLVMFuzzerTestOneInput(copy, n);
	free(copy);
}

/* Bytes that such inputs are made of: what formats and expressions know, small numbers, and anything. */
static uint8_t random_byte(void)
{
	static const char known[] = "%%%%dsxXpcbmMiuo*.0123456789+-# l[]()|*+?{},^$\\-:ab";

	switch (dice(4)) {
	case 0:
		return dice(256);
	case 1:
		return dice(2) ? 0 : dice(16);
	default:
		return known[dice(sizeof(known) - 1)];
	}
}

int main(int argc, char **argv)
{
	long runs = 100000, files = 0;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-n") && i + 1 < argc) {
			runs = atol(argv[++i]);
		} else if (!strcmp(argv[i], "-s") && i + 1 < argc) {
			seed = strtoull(argv[++i], NULL, 0);
		} else {
			run_file(argv[i]);
			files++;
		}
	}
	for (long i = 0; !files && i < runs; i++) {
		uint8_t *data;
		size_t n = dice(dice(20) ? 100 : INPUT_MAX);

		data = malloc(n ? n : 1);
		for (size_t k = 0; k < n; k++)
			data[k] = random_byte();
		LLVMFuzzerTestOneInput(data, n);
		free(data);
	}
	printf("ok 1 - %ld inputs\n1..1\n", files ? files : runs);
	return 0;
}
