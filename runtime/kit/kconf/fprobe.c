/* Can one registration hook the returns of many functions, with an entry handler that may refuse a call and is told where
 * it returns to? cb16330d1274 "fprobe: Pass return address to the handlers", v6.5. */
#include <linux/fprobe.h>

#ifndef CONFIG_FPROBE
#error "no fprobe"
#endif

void kt_question(struct fprobe *fp,
		 int (*entry)(struct fprobe *, unsigned long, unsigned long, struct pt_regs *, void *),
		 void (*exit)(struct fprobe *, unsigned long, unsigned long, struct pt_regs *, void *));

void kt_question(struct fprobe *fp,
		 int (*entry)(struct fprobe *, unsigned long, unsigned long, struct pt_regs *, void *),
		 void (*exit)(struct fprobe *, unsigned long, unsigned long, struct pt_regs *, void *))
{
	fp->ops.flags = 0;
	fp->entry_handler = entry;
	fp->exit_handler = exit;
}
