# SPDX-License-Identifier: GPL-2.0-or-later
# Reads the compiler's messages about all questions in one unit and writes kconf.h: a question with an error is answered no.
# Fails when an error is about no question, when the compiler did not get to the end, or when a control has the wrong answer.
# The compiler reports a function that does not exist once, so no question may depend on the call of another alone.
/error: / {
	name = $0
	sub(/\.c:.*/, "", name)
	sub(/.*\//, "", name)
	no[name] = 1
	if (/fatal error: /)
		failed = 1
}
END {
	n = split(questions, question, " ")
	for (i = 1; i <= n; i++) {
		printf "#define KCONF_%s %d\n", toupper(question[i]), !(question[i] in no)
		asked[question[i]] = 1
	}
	for (name in no)
		if (!(name in asked))
			failed = 1
	exit failed || !("control_no" in no) || "control_yes" in no
}
