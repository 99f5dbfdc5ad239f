/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ktap --language-server: the Language Server Protocol on standard input and output. */
#ifndef KTAP_CLI_EDIT_SERVER_H
#define KTAP_CLI_EDIT_SERVER_H

struct program;

/* Serves, by the settings of P, until the editor says exit or closes its end. Returns the exit status: 0 after shutdown. */
int server_run(const struct program *p);

#endif
