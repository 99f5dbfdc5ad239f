#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What BTF says of types: qualifiers, pointers to functions, structures by value, unions, bitfields, enumerations, and names that are near.
set -eu
. "$SRCDIR/testsuite/lib/target.sh"

# yes SCRIPT, no TAG COLUMN MESSAGE SCRIPT, with BTF alone
yes()
{
	ktap -p2 -r "$R" --debuginfo=btf -e "$1"
	accepted
}
no()
{
	ktap -p2 -r "$R" --debuginfo=btf -e "$4"
	refused "$1"
	said "^<input>:1:$2: error: $3"
}
# lists POINT TEXT
lists()
{
	ktap -L "$1" -r "$R" --debuginfo=btf
	accepted
	printed "^$1$2\$"
}

check()
{
	lists 'kernel.function("iounmap")' ' $addr:void volatile\*'
	lists 'kernel.function("seq_printf")' ' $m:struct seq_file\* $f:char const\*'
	lists 'kernel.function("from_kuid")' ' $targ:struct user_namespace\* $kuid:kuid_t'
	lists 'kernel.function("__component_match_add")' '.* $compare:int (\*)(struct device\*, void\*) .*'
	yes 'probe kernel.function("from_kuid") { println($kuid->val) }'
	no target-member 53 "'kuid_t' has no member 'vall'" 'probe kernel.function("from_kuid") { println($kuid->vall) }'
	said "note: it has: val\$"
	yes 'probe kernel.function("vfs_read") { println(@enum("PIDTYPE_TGID"), @enum("TCP_ESTABLISHED")) }'
	no target-var 45 "no enumeration has a value named 'TCP_ESTABLISHD'" \
		'probe kernel.function("vfs_read") { println(@enum("TCP_ESTABLISHD")) }'
	said "note: did you mean 'TCP_ESTABLISHED'?"
	yes 'probe kernel.function("__alloc_pages_direct_compact") { println(@enumname($prio)) }'
	yes 'probe kernel.function("tcp_v4_rcv") { println($skb->pkt_type, $skb->cloned, $skb->head_frag) }'
	no target-member 57 "'struct sock' has no member 'sk_family'" 'probe kernel.function("tcp_v4_rcv") { println($skb->sk->sk_family) }'
	said "did you mean '__sk_common->skc_family'?"
	no target-member 52 "'struct file' has no member 'f_opp'" 'probe kernel.function("vfs_read") { println($file->f_opp) }'
	said "did you mean 'f_op'?"
	yes 'probe kernel.function("vfs_read") { println($file$, $file$$) } probe kernel.function("do_sys_openat2") { println($how->flags, $$parms$$) }'
	yes 'probe kernel.function("alloc_empty_file").return { println($return->f_flags, $return$) }'
	yes 'probe kernel.function("vfs_read") { println(@cast(1, "union sigval")->sival_int, @cast(1, "struct task_struct")->comm) }'
	no target-type 45 "no type 'task_t'" 'probe kernel.function("vfs_read") { println(@cast(1, "task_t")->x) }'
	said "did you mean '"
}
on_each check
