/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A session of an image: its programs in the kernel, its cold handlers here. It answers what the control file of a module does (abi.h). */
#ifndef KT_BPF_SESSION_H
#define KT_BPF_SESSION_H

#include <sys/types.h>

#include "runtime/bpf/store.h"

struct bpf_session;

/* Reads the image in the file FD and loads its programs. TARGET: the process of -x or -c, 0: none. VERBOSE: where the kernel refuses a program,
 * prints all that it says. NULL: reported. */
struct bpf_session *bpf_session_open(int fd, int target, bool verbose);
/* Ends what is left of it. */
void bpf_session_close(struct bpf_session *s);

/* The name of the session. */
const char *bpf_session_name(const struct bpf_session *s);
/* Becomes readable when there is something for bpf_session_read(). */
int bpf_session_fd(const struct bpf_session *s);

/* As ioctl() and read() of a control file. They may be called at once by two threads. */
int bpf_session_ask(void *session, unsigned int request, void *argument);
ssize_t bpf_session_read(void *session, void *buf, size_t len);

#endif
