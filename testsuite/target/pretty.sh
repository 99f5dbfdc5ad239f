#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A trailing $ prints the members of a structure, $$ those of members too; a list of variables takes either.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

check()
{
	analyse 'probe kernel.function("vfs_read").call { println($file$) }'
	accepted
	printed '\.f_path={\.\.\.}'
	printed '\.f_flags=%u'
	analyse 'probe kernel.function("vfs_read").call { println($file->f_path$$) }'
	accepted
	printed '{\.mnt=%p, \.dentry=%p}'
	analyse 'probe kernel.function("vfs_read").call { println($$vars$$) }'
	accepted
	printed 'count=%s pos=%s ret=?'
	printed 'sprintf("%u", \$count)'
	analyse 'probe kernel.function("tty_open").call { println($$vars) }'
	accepted
	printed '"inode=%#x filp=%#x tty=? .*__func__=\[\.\.\.\]'
	analyse 'probe kernel.statement("udp_sendmsg@net/ipv4/udp.c:*") { println($$locals) }'
	accepted
	printed ' fl4_stack={\.\.\.} '
	analyse 'probe kernel.function("vfs_read").call { println($nosuch$) }'
	refused target-var
}
on_each check
