/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ktap help`: what a script is made of, on one screen a subject. The man pages say the rest. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/complete.h"
#include "lib/diag.h"

static const char probes_text[] =
	"A probe is a place and what happens there: probe PLACE { STATEMENTS }\n"
	"\n"
	"In the kernel\n"
	"  kernel.function(\"vfs_read\")            a function is entered; \"vfs_*\" takes all of that name\n"
	"  kernel.function(\"vfs_read\").return     it returns\n"
	"  module(\"ext4\").function(\"ext4_*\")      in a module\n"
	"  kernel.statement(\"*@fs/open.c:1200\")   a source line\n"
	"  kernel.trace(\"sched:sched_switch\")     a tracepoint\n"
	"  syscall.openat                         a system call; syscall.* takes all\n"
	"  syscall.openat.return                  it returns\n"
	"In programs\n"
	"  process(\"/bin/bash\").function(\"main\")   a function of a program, .return its return\n"
	"  process(\"/bin/bash\").library(\"libc.so.6\").function(\"malloc\")   of a library that it uses\n"
	"  process(\"/bin/bash\").mark(\"NAME\")       a static mark (USDT)\n"
	"  process.begin, process.end             a process starts, ends\n"
	"At times\n"
	"  begin, end, error                      the session begins, ends, has failed\n"
	"  timer.s(1), timer.ms(100)              periodically\n"
	"  perf.sw.cpu_clock.hz(99)               99 samples a second on each CPU\n"
	"By subject, with variables of their own\n"
	"  scheduler.cpu_off, ioblock.request, tcp.sendmsg, kprocess.exec_complete, signal.send ...\n"
	"\n"
	"What matches:  ktap -l 'syscall.*open*', ktap -l '*nanosleep*'\n"
	"Its variables: ktap -L 'kernel.function(\"vfs_read\")'\n"
	"All forms:     ktap --dump-probe-types; all aliases: ktap --dump-probe-aliases\n"
	"More:          man ktap-probes, man ktap-tapset\n";

static const char functions_text[] =
	"Functions that most scripts use; a name that ends in _ns, _us or _ms says its unit.\n"
	"\n"
	"Who        pid() tid() ppid() execname() cmdline_str() uid() cpu()\n"
	"           target() is the process of -c or -x: if (pid() == target()) ...\n"
	"When       gettimeofday_ns() gettimeofday_us() gettimeofday_s() ctime() cpu_clock_ns(cpu)\n"
	"Where      pp() ppfunc() print_backtrace() print_ubacktrace() symname(address) usymname(address)\n"
	"Values     $name and $return are best; else ulong_arg(n) long_arg(n) pointer_arg(n) returnval()\n"
	"           errno_str(number) names an error\n"
	"Memory     kernel_string(pointer) user_string(pointer) kernel_long(pointer) user_long(pointer)\n"
	"           @cast(pointer, \"struct NAME\")->member\n"
	"Strings    strlen(s) substr(s, start, length) isinstr(s, part) strpos(s, part) strtol(s, base)\n"
	"           tokenize(s, delimiters) sprintf(format, ...) a . b\n"
	"Statistics x <<< value; @count(x) @sum(x) @min(x) @max(x) @avg(x) @p99(x) print(@hist_log(x))\n"
	"Output     print(a) println(a, b) printf(format, ...) bytes_to_string(n) usecs_to_string(n) ip_ntop(address)\n"
	"Control    exit() error(message) warn(message) system(command)\n"
	"\n"
	"All of them: ktap --dump-functions; what each does: man ktap-functions\n";

static const char language_text[] =
	"A script is a list of probes, globals and functions.\n"
	"\n"
	"  global reads, sizes               # visible in all probes; arrays and statistics are globals\n"
	"  function double(n) { return 2 * n }\n"
	"\n"
	"  probe syscall.read {\n"
	"          if (pid() == 1) next      # next leaves the probe\n"
	"          reads[execname()]++       # an array: the key in brackets, one or more\n"
	"          sizes <<< double(count)   # a statistic takes values\n"
	"  }\n"
	"\n"
	"  probe end {\n"
	"          foreach (name in reads- limit 5)      # largest value first\n"
	"                  printf(\"%-16s %d\\n\", name, reads[name])\n"
	"          print(@hist_log(sizes))\n"
	"  }\n"
	"\n"
	"Types        whole numbers of 64 bits, strings, statistics; they are inferred, nothing is declared\n"
	"Operators    as in C; strings: . joins, == compares, =~ matches an expression; 'key in array'\n"
	"Statements   if else while for foreach break continue return next delete try { } catch (text) { }\n"
	"Arguments    ktap SCRIPT.stp 5 name: $1 is 5, @2 is \"name\"\n"
	"Printing     a global that is only written is printed at the end, sorted\n"
	"\n"
	"More: man ktap-language; scripts to start from: ktap examples\n";

static const struct topic {
	const char *name, *summary, *text;
} topics[] = {
	{ "probes", "places that a script can watch", probes_text },
	{ "functions", "functions that most scripts use", functions_text },
	{ "language", "how a script is written", language_text },
};

enum { N_TOPICS = sizeof(topics) / sizeof(topics[0]) };

void help_words(word_fn *fn, void *data)
{
	for (int i = 0; i < N_TOPICS; i++)
		fn(topics[i].name, topics[i].summary, data);
}

static int list_topics(void)
{
	for (int i = 0; i < N_TOPICS; i++)
		printf("ktap help %-10s %s\n", topics[i].name, topics[i].summary);
	puts("ktap explain TAG     what a message with this tag means\n"
	     "ktap --help          the options");
	return command_written();
}

static int show_topic(const char *name)
{
	struct nearest near = { .word = name };

	for (int i = 0; i < N_TOPICS; i++) {
		if (!strcmp(topics[i].name, name)) {
			fputs(topics[i].text, stdout);
			return command_written();
		}
		nearest_add(&near, topics[i].name);
	}
	command_misused("there is no help on '%s'", name);
	if (nearest_get(&near))
		note(nowhere, "did you mean '%s'?", nearest_get(&near));
	note(nowhere, "'ktap help' lists the subjects; 'ktap examples %s' looks for scripts", name);
	return 1;
}

int help_run(int argc, char **argv)
{
	if (argc > 1)
		return command_misused("help takes one subject");
	return argc ? show_topic(argv[0]) : list_topics();
}
