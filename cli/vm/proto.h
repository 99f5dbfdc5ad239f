/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The protocol between the host (vm.c) and the guest's init (cli/vm/init.c) on their virtio-serial port.
 *
 * Both directions carry frames: this header, then `size` bytes. Output and errors share the port, so their order
 * is kept and the exit status can't overtake them.
 */
#ifndef KTAP_CLI_VM_PROTO_H
#define KTAP_CLI_VM_PROTO_H

#include <stdint.h>

#define VM_PORT_NAME "ktap"
#define VM_FS_TAG "ktaproot"
#define VM_ROOT_FILE "/root-directory" /* in the initramfs, if --vm-root is given: its name on the host */
#define VM_MODULE_LIST "/modules" /* in the initramfs: paths in the order to load them, one a line */

enum { VM_FRAME_MAX = 65536 };

enum vm_frame_type {
	/* from the host */
	VM_START,  /* strings, each with its NUL: cwd, number of arguments, argv..., environment... */
	VM_INPUT,  /* bytes for stdin; size 0: end of file. The next one waits for VM_INPUT_DONE */
	VM_SIGNAL, /* uint32_t: a signal for the command's process group */
	/* from the guest */
	VM_READY,      /* file systems are mounted */
	VM_SIGNAL_DONE, /* one VM_SIGNAL was passed on */
	VM_INPUT_DONE, /* the bytes of one VM_INPUT were taken */
	VM_OUTPUT,     /* bytes of stdout */
	VM_ERRORS,     /* bytes of stderr */
	VM_EXIT,       /* uint32_t: exit status, 128 + signal. The last frame */
	VM_FAILED,     /* text: the guest could not get so far as to run the command */
};

struct vm_frame {
	uint32_t type; /* enum vm_frame_type */
	uint32_t size;
};

#endif
