#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `(&x)->m` and `(&x)[i]`, several headers in one @cast, @probewrite of a target variable.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	analyse 'probe begin { println((& @cast(1, "task_struct"))->pid, (&@cast(1, "task_struct")->se)->on_rq, (&@cast(1, "int"))[2]) }
		probe kernel.function("vfs_read") { println((&$file->f_path)->dentry) }'
	accepted
	ktap -r "$R" -p3 -e 'probe begin { println((&@cast(64, "int"))[2]) }'
	printed '+ 2ll \* 4'
	analyse 'probe kernel.function("vfs_read").call { println((&$count)[0]) }'
	refused target-type
	said 'it has no address'
	analyse 'probe begin { println(@cast(1, "struct iphdr", "kernel<linux/ip.h><linux/tcp.h>")->ttl,
		@cast(1, "struct tcphdr", "kernel<linux/ip.h><linux/tcp.h>")->source) }'
	accepted
}
on_each check
ktap -p2 -e 'probe begin { println(@cast(1, "struct tcphdr", "<netinet/ip.h><netinet/tcp.h>")->source,
	@cast(1, "struct iphdr", "<netinet/ip.h><netinet/tcp.h>")->ttl) }'
accepted
for bad in '<a.h><>' '<a.h>b.h>' '<><a.h>' '<a.h><b h>'; do
	ktap -p2 -e "probe begin { println(@cast(1, \"struct x\", \"$bad\")->y) }"
	refused target-type
	said 'is no name of a header'
done
for body in '$count = 3' '$count++' 'n = $count'; do
	ktap -r "$R" -g -p2 -v -e 'probe a = kernel.function("vfs_read").call { w = @probewrite($count) } probe a { '"$body"'; println(w) }'
	accepted
	case $body in n*) printed 'w = 0' ;; *) printed 'w = 1' ;; esac
done
