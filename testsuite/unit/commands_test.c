/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands of system(): the end of another child, as of a reader that was left behind, is not taken for the end of one. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/loader/print.h"
#include "runtime/script.h"
#include "testsuite/unit/tap.h"

int main(void)
{
	struct {
		struct kt_record head;
		kt_u32 len;
		char text[12];
	} rec = { .len = 4, .text = "true" };
	struct control control = { 0 };
	struct output output;
	struct printer p;
	pid_t other = fork();

	if (!other)
		_exit(0);
	rec.head = (struct kt_record){ .size = sizeof(rec.head) + kt_string_room(rec.len), .kind = KT_REC_SYSTEM };
	output_init(&output, STDOUT_FILENO);
	print_init(&p, &control, &output);
	print_record(&p, &rec.head);
	print_record(&p, &rec.head);
	is_int(p.n_commands, 2, "two commands run");
	print_child_ended(&p, other);
	is_int(p.n_commands, 2, "another child is none of them");
	print_child_ended(&p, p.commands[0]);
	is_int(p.n_commands, 1, "one of them ended");
	print_child_ended(&p, p.commands[0]);
	is_int(p.n_commands, 0, "and the other");
	while (wait(NULL) > 0)
		continue;
	print_deinit(&p);
	output_deinit(&output);
	return tap_done();
}
