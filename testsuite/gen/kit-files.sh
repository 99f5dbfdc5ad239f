#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#! also-on: rt
# Each file of runtime/kit compiles on its own, though many are compiled as one: it includes what it uses.
#
# The command is the one that Kbuild recorded for the kit. Every file gets compat.h from a header of the kit, so compat.h is
# compiled first, once, which changes nothing: 57 files take 5 CPU seconds. Runs on one kernel, with KTAP_TEST_KERNELS on those.
. "$SRCDIR/testsuite/lib/sh.sh"
need_kernel

# The directory of the kit for $release whose sources are the ones here.
kit()
{
	ktap -p4 -m kit_files -r "$release" -e 'probe begin {}'
	accepted
	for dir in "$KTAP_CACHE_DIR/kit/$release"-*; do
		diff -rq "$dir/runtime/kit" "$SRCDIR/runtime/kit" | grep -q '^Files' || { echo "$dir"; return; }
	done
	fail "the cache has no kit for $release"
}

# How gcc is called for one file goes to `command`, the headers that the call includes and compat.h to all.h.
prepare()
{
	perl - "$1" "$SRCDIR" "$BUILDDIR" <<'END' || fail "$1/.hit.o.cmd is not understood"
my ($kit, $source, $build) = @ARGV;
local $/;
open(my $in, '<', "$kit/.hit.o.cmd") or die "$kit/.hit.o.cmd: $!\n";
my ($command) = <$in> =~ /:= *([^;\n]*) -c -o /;
my $headers = '';
$command =~ s/ -include (\S+)/$headers .= "#include \"$1\"\n"; ''/ge;
$command =~ s/ -Wp,-MMD,\S+| -fstack-usage//g;
$command =~ s/ -I\Q$kit\E(?= |$)/ -I$source -I$build/ && $headers =~ /kconf\.h/ or die "no kconf.h\n";
open(my $out, '>', 'command') or die "command: $!\n";
print $out "$command -Werror -Wmissing-prototypes -Winvalid-pch";
open($out, '>', 'all.h') or die "all.h: $!\n";
print $out "$headers#include \"runtime/kit/compat.h\"\n";
END
}

# compiles FILE: compiles it as the kit's part would be.
compiles()
{
	(cd "/lib/modules/$release/build" && eval "$command -include '$here/all.h' -fsyntax-only '$1'") 2>log
}

# Prints the files that do not get compat.h from a header of the kit. They may get more from all.h than they include.
without_compat()
{
	(cd "$SRCDIR" && perl - runtime/kit/*.[ch]) <<'END'
my %seen;
sub reaches {
    my ($file) = @_;
    return 1 if $file eq 'runtime/kit/compat.h';
    return $seen{$file} if exists $seen{$file};
    $seen{$file} = 0;
    open(my $in, '<', $file) or return 0;
    my @includes = map { /^#include "(runtime\/[^"]*)"/ ? $1 : () } <$in>;
    return $seen{$file} = grep({ reaches($_) } @includes) ? 1 : 0;
}
print join(' ', grep { !reaches($_) } @ARGV), "\n";
END
}

here=$(pwd)
# These need nothing of the kernel but its types and, the two for embedded C, what comes before them there.
expected="runtime/kit/embedded.h runtime/kit/old-kernel.h runtime/kit/ring.h runtime/kit/session.h runtime/kit/value.h"
test "$(without_compat)" = "$expected" || fail "without compat.h: $(without_compat), expected $expected"
releases=$(kernels)
test -n "${KTAP_TEST_KERNELS:-}" || releases=${releases%% *}
for release in $releases; do
	prepare "$(kit)"
	command=$(cat command)
	(cd "/lib/modules/$release/build" && eval "$command -x c-header -o '$here/all.h.gch' '$here/all.h'") || fail "compat.h, $release"
	for file in "$SRCDIR"/runtime/kit/*.[ch]; do
		case $file in */embedded.h) continue ;; esac
		compiles "$file" || { cat log; fail "$file does not compile on its own, $release"; }
	done
	# One include less is found.
	for missing in services.h value.h; do
		grep -v "runtime/kit/$missing" "$SRCDIR/runtime/kit/log.c" >planted.c
		! compiles "$here/planted.c" || fail "log.c compiles without $missing, $release"
	done
done
