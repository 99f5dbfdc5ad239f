/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is it pde_data()? 359745d78351 "proc: remove PDE_DATA() completely", v5.17. */
#include <linux/proc_fs.h>

void *kt_question(const struct inode *inode)
{
	return pde_data(inode);
}
