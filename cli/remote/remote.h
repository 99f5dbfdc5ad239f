/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --remote: the script is built here and runs on other machines, which need neither compiler nor debugging information. */
#ifndef KTAP_CLI_REMOTE_REMOTE_H
#define KTAP_CLI_REMOTE_REMOTE_H

struct options;

/* Runs the script of OPT on its machines and returns the exit status. BUILD runs in a child for each kernel: it prints the path of
 * the module, or of the program of --runtime=user, and returns 0 on success. */
int remote_run(const struct options *opt, int (*build)(struct options *opt));

#endif
