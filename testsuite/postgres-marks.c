/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two of the marks of PostgreSQL, as its server has them, for examples/postgres-queries.stp: each argument is a query, and those with "sleep"
 * take half a second.
 */
#include <string.h>
#include <sys/sdt.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		DTRACE_PROBE1(postgresql, query__start, argv[i]);
		if (strstr(argv[i], "sleep"))
			usleep(500000);
		DTRACE_PROBE1(postgresql, query__done, argv[i]);
	}
	return 0;
}
