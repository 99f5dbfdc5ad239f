/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is it in the socket's flags that the program asked for credentials? Not since 0e81cfd971dc "af_unix: Move
 * SOCK_PASS{CRED,PIDFD,SEC} to struct sock.", v6.16. */
#include <linux/net.h>

bool kt_question(const struct socket *sock)
{
	return test_bit(SOCK_PASSCRED, &sock->flags);
}
