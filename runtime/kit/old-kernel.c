/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of earlier kernels that embedded C of scripts calls, by the means of this one; embedded.h gives them their
 * names. Only what the kernel still knows is answered. Context: any: no lock, no sleep, nothing is changed.
 */
#include <linux/fdtable.h>
#include <linux/net.h>
#include <linux/socket.h>
#include <linux/tcp.h>
#include <net/sock.h>
#include <net/tcp.h>

#include "runtime/kit/compat.h"
#include "runtime/kit/old-kernel.h"

/* Returns the file of FD or NULL, as fcheck_files(), which v5.11 renamed. Under rcu_read_lock(). */
struct file *kt_old_fcheck_files(struct files_struct *files, unsigned int fd)
{
	struct fdtable *table = rcu_dereference_raw(files->fdt);

	return fd < table->max_fds ? rcu_dereference_raw(table->fd[fd]) : NULL;
}

/* The value of an option that is a number, or -ENOPROTOOPT. An error that waits for the program stays there. */
static int socket_option(const struct socket *sock, int name)
{
	const struct sock *sk = sock->sk;

	switch (name) {
	case SO_DEBUG:
		return sock_flag(sk, SOCK_DBG);
	case SO_DONTROUTE:
		return sock_flag(sk, SOCK_LOCALROUTE);
	case SO_BROADCAST:
		return sock_flag(sk, SOCK_BROADCAST);
	case SO_KEEPALIVE:
		return sock_flag(sk, SOCK_KEEPOPEN);
	case SO_OOBINLINE:
		return sock_flag(sk, SOCK_URGINLINE);
	case SO_REUSEADDR:
		return sk->sk_reuse;
	case SO_REUSEPORT:
		return sk->sk_reuseport;
	case SO_TYPE:
		return sk->sk_type;
	case SO_PROTOCOL:
		return sk->sk_protocol;
	case SO_DOMAIN:
		return sk->sk_family;
	case SO_ERROR:
		return sk->sk_err;
	case SO_SNDBUF:
		return sk->sk_sndbuf;
	case SO_RCVBUF:
		return sk->sk_rcvbuf;
	case SO_RCVLOWAT:
		return sk->sk_rcvlowat;
	case SO_NO_CHECK:
		return sk->sk_no_check_tx;
	case SO_ACCEPTCONN:
		return sk->sk_state == TCP_LISTEN;
	case SO_PASSCRED:
		return kt_socket_passcred(sock);
	}
	return -ENOPROTOOPT;
}

/* kernel_getsockopt(), which v5.8 took away. *LEN: the space at VALUE, and
 * then what was written. */
int kt_old_getsockopt(struct socket *sock, int level, int name, char *value, int *len)
{
	struct sock *sk = sock->sk;
	struct linger linger;
	int number = -ENOPROTOOPT, size = sizeof(number);
	const void *from = &number;

	if (!sk)
		return -ENOTCONN;
	if (level == SOL_SOCKET && name == SO_LINGER) {
		linger.l_onoff = sock_flag(sk, SOCK_LINGER);
		linger.l_linger = sk->sk_lingertime / HZ;
		from = &linger;
		size = sizeof(linger);
	} else {
		if (level == SOL_SOCKET)
			number = socket_option(sock, name);
		else if (level == SOL_TCP && name == TCP_NODELAY && sk->sk_protocol == IPPROTO_TCP)
			number = !!(tcp_sk(sk)->nonagle & TCP_NAGLE_OFF);
		if (number < 0)
			return number;
	}
	if (*len < 0)
		return -EINVAL;
	*len = min(*len, size);
	memcpy(value, from, *len);
	return 0;
}
