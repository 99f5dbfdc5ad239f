#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What a script expands to has bounds, each with a name, a message at the place and the remedy: points of aliases and wildcards,
# nested aliases, the memory of the analysis. Raised, it goes on; without -D, the bounds hold within 1 GB.
. "$SRCDIR/testsuite/lib/sh.sh"
analyse()
{
	ktap --runtime=user -v -p2 "$@"
}
# peak MB: the analysis took less.
peak()
{
	test "$(sed -n 's/^Pass 2: .* using \([0-9]*\)res kb.*/\1/p' err)" -lt $(($1 << 10)) || fail "more than $1 MB"
}

perl -e 'print "probe x$_ = x", $_ + 1, ", x", $_ + 1, " { }\n" for 0 .. 25; print "probe x26 = begin { }\nprobe x0 { }\n"' >double.stp
analyse double.stp
refused limit
said 'double.stp:28:7: error: aliases and wildcards stand for more than 100000 probe points'
said '-DMAXPOINTS=1000000'
peak 1024

perl -e 'print "probe a = begin, begin, begin { }\nprobe a, a { }\n"' >six.stp
analyse -DMAXPOINTS=7 six.stp
refused limit
analyse -DMAXPOINTS=8 six.stp
accepted

perl -e 'print "probe x$_ = x", $_ + 1, " { }\n" for 0 .. $ARGV[0]; print "probe x", $ARGV[0] + 1, " = begin { }\nprobe x0 { }\n"' 98 >deep.stp
analyse deep.stp
accepted
perl -e 'print "probe x$_ = x", $_ + 1, " { }\n" for 0 .. $ARGV[0]; print "probe x", $ARGV[0] + 1, " = begin { }\nprobe x0 { }\n"' 99 >deep.stp
analyse deep.stp
refused limit
said 'nested more than 100 deep'

perl -e 'print "global ", join(", ", map { "g$_" } 0 .. 10000), "\nprobe begin { println(g1++) }\n"' >globals.stp
analyse globals.stp
refused limit
said 'more than 10000 globals'
perl -e 'print "probe begin { ", join("; ", map { "v$_ = 1" } 0 .. 10000), " }\n"' >locals.stp
analyse -w locals.stp
refused limit
said 'locals.stp:1:[0-9]*: error: more than 10000 local variables'

# The body of an alias is copied for each point that it stands for.
perl -e 'print "global x\nprobe a = begin { ", "x++ " x 5000, "}\nprobe a", ", a" x 999, " { }\n"' >bodies.stp
analyse -DMAXMEMORY=64 bodies.stp
refused limit
said 'bodies.stp:3:[0-9]*: error: the analysis of the script takes more than 64 MB'
said '-DMAXMEMORY=256'
