#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What ktap says of system calls is what strace says: name, each argument, and result of over 100 calls of one run of a
# program, which both watch at once. Fields are compared; what strace adds (the paths of descriptors, remarks) is taken away,
# and where one number has two names, or one value two notations, they count as the same.
. "$SRCDIR/testsuite/lib/sh.sh"

need_kernel
command -v strace >/dev/null || { echo "strace is not installed"; exit 77; }
command -v cc >/dev/null || { echo "no C compiler"; exit 77; }
${CC:-cc} -O1 -o syscall_program "$SRCDIR/testsuite/run-vm/syscall_program.c" || fail "the program does not compile"

cat >watch.stp <<'EOF'
probe syscall.*.return
{
	if (execname() == "syscall_program")
		printf("ktap %s(%s) = %s\n", name, argstr, retstr)
}
EOF

cat >compare.pl <<'EOF'
use strict;
use warnings;
no warnings 'portable'; # addresses have 64 bits
use Errno ();

# ktap's names for calls, where they are not the kernel's.
my %names = (pread64 => 'pread', pwrite64 => 'pwrite', newfstatat => 'fstatat');

# The arguments: text split at the commas that are in no string and no bracket.
sub fields {
    my ($text) = @_;
    my (@fields, $depth);
    my $field = '';
    $depth = 0;
    while ($text =~ /\G("(?:[^"\\]|\\.)*"|[\[{(]|[\]})]|, |.)/gs) {
        my $t = $1;
        $depth++ if $t =~ /^[\[{(]$/;
        $depth-- if $t =~ /^[\]})]$/;
        if ($t eq ', ' && !$depth) {
            push @fields, $field;
            $field = '';
        } else {
            $field .= $t;
        }
    }
    return (@fields, $field ne '' || @fields ? $field : ());
}

# One notation for a value: no address is 0, flags in alphabetical order.
sub value {
    my ($v) = @_;
    return '0' if $v eq 'NULL' || $v eq '0x0';
    $v =~ s/\bWSTOPPED\b/WUNTRACED/g;
    $v =~ s/\bdata=\{u32=(\d+), u64=\1\}/sprintf('data=%#x', $1)/e; # as strace 6.13 says it
    return $v =~ /^[A-Z0-9_x|]+$/ ? join('|', sort split /\|/, $v) : $v;
}

# [name, result, argument...] of a line "name(arguments) = result".
sub call {
    my ($line) = @_;
    my ($name, $arguments, $result) = $line =~ /^(\w+)\((.*)\)\s+= (.+)$/ or die "no call: $line\n";
    $result =~ s/^0x([0-9a-f]+)/hex $1/e;
    return [$names{$name} || $name, $result, map { value($_) } fields($arguments)];
}

sub strace_call {
    my ($line) = @_;
    $line =~ s/^\d+\.\d+ //;
    # Paths behind descriptors: never in a string of the program's.
    $line =~ s/(\d|AT_FDCWD)<[^<>]*>(?:\(deleted\))?/$1/g;
    $line =~ s/ = -1 (E[A-Z0-9]+) .*$/' = ' . -Errno->can($1)->() . " ($1)"/e;
    $line =~ s/( = (?:0x)?[0-9a-f]+) \(.*\)$/$1/;
    return call($line);
}

my (@ktap, @strace);
while (my $line = <STDIN>) {
    chomp $line;
    push @ktap, call($1) if $line =~ /^ktap (.*)/;
    push @strace, strace_call($1) if $line =~ /^strace (\d+\.\d+ \w+\(.*)/;
}
# Between the marks.
for my $list (\@ktap, \@strace) {
    shift @$list while @$list && "@{$list->[0]}" !~ /^close .* 7777$/;
    pop @$list while @$list && "@{$list->[-1]}" !~ /^close .* 8888$/;
}
die "ktap saw ", scalar(@ktap), " calls, strace ", scalar(@strace), "\n" if @ktap != @strace;
my ($fields, $wrong, %kinds) = (0, 0);
for my $i (0 .. $#strace) {
    my ($k, $s) = ($ktap[$i], $strace[$i]);
    $kinds{$s->[0]} = 1;
    my $n = @$k > @$s ? @$k : @$s;
    for my $f (0 .. $n - 1) {
        my ($x, $y) = map { defined $_ ? $_ : 'nothing' } $k->[$f], $s->[$f];
        $fields++;
        next if $x eq $y;
        $wrong++;
        my $what = $f == 0 ? 'name' : $f == 1 ? 'result' : 'argument ' . ($f - 1);
        print "$s->[0]: $what: ktap says $x, strace $y\n";
    }
}
my $count = keys %kinds;
print scalar(@strace), " calls of $count kinds, $fields fields, $wrong differ\n";
exit($wrong || $count < 40 ? 1 : 0);
EOF

limit=1200
for kernel in $(kernels); do
	ktap --vm="$kernel" -c "sh -c 'mkdir -p /tmp/oracle; cd /tmp/oracle; strace -ttt -y -s 128 -o trace $PWD/syscall_program;
		sed \"s/^/strace /\" trace'" watch.stp
	accepted
	perl compare.pl <out || { echo "on $kernel"; exit 1; }
done
