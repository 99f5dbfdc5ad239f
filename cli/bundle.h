/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --bundle: one file with the modules of a script for several kernels, of which ktaprun takes the one that fits. */
#ifndef KTAP_CLI_BUNDLE_H
#define KTAP_CLI_BUNDLE_H

struct options;
struct program;

/* Builds the script of OPT for each kernel of -r and writes the bundle. BUILD runs in a child for each of them and calls
 * bundle_take(). Returns the exit status. */
int bundle_run(const struct options *opt, int (*build)(struct options *opt));
/* In that child: hands over the module of P, open as FD. Returns the exit status. */
int bundle_take(const struct options *opt, const struct program *p, int fd);

#endif
