/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is it in struct sock that the program asked for credentials? Since 0e81cfd971dc "af_unix: Move SOCK_PASS{CRED,PIDFD,SEC} to struct
 * sock.", v6.16. */
#include <net/sock.h>

bool kt_question(const struct sock *sk)
{
	return sk->sk_scm_credentials;
}
