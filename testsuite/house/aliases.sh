#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Aliases of probe points, but those of system calls, which are made of one table:
# - every public one, public-aliases.txt, is in the library, or aliases-missing.txt says why not;
# - every one of the library stands in a test that makes it happen, of run-vm, run-user or an example, or
#   aliases-untriggered.txt says why none does. Returns count as their own.
# No row of the lists is out of date. Two spaces end the name.
dir=$SRCDIR/testsuite/house
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
status=0

# compare HAVE LIST WHAT: rows of LIST that are for no name of HAVE are out of date, names without a row unexplained.
compare()
{
	perl - "$@" <<-'END' || status=1
	my ($have, $list, $what) = @ARGV;
	my ($bad, %used);
	my @rows = map { s/  .*//sr } grep { !/^(#|$)/ } do { open(my $in, '<', $list) or die; <$in> };
	my %row = map { my $r = join('.*', map { quotemeta } split(/\*/, $_, -1)); ($_ => qr/^$r$/) } @rows;
	open(my $in, '<', $have) or die;
	while (chomp(my $name = <$in> // '')) {
	    my @for = grep { $name =~ $row{$_} } @rows;
	    $used{$_} = 1 for @for;
	    next if @for;
	    print "$what, and not in the list: $name\n";
	    $bad = 1;
	}
	for (grep { !$used{$_} } @rows) {
	    print "out of date in $list: $_\n";
	    $bad = 1;
	}
	exit($bad ? 1 : 0);
	END
}

"$KTAP" --dump-probe-aliases | sed 's/ =.*//' | grep -v '^[dt]\?[wpn]\?d\?_\?syscall\.' | sort -u >"$work/have"
sed '/^#/d; /^$/d' "$dir/public-aliases.txt" | sort -u >"$work/want"
comm -23 "$work/want" "$work/have" >"$work/missing"
compare "$work/missing" "$dir/aliases-missing.txt" "not in the library"

# What stands behind `probe` in the tests, with its wild cards, and in no comment; {a,b} is not used there for aliases.
cat "$SRCDIR"/testsuite/run-vm/*.stp "$SRCDIR"/testsuite/run-vm/*.sh "$SRCDIR"/testsuite/run-user/*.stp "$SRCDIR"/examples/*.stp |
	perl -ne 'next if m{^(?://|#)}; print $1 =~ s/^(perf\.\w+\.\w+)\..*/$1/r, "\n"
		while /((?:[a-z_]\w*\.)+[\w*]+|\b(?:prometheus|json_data|oneshot|init|syscall_any)\b)/g' | sort -u >"$work/named"
perl -e '
	my ($have, $named) = map { open(my $in, "<", $_) or die; chomp(my @lines = <$in>); \@lines } @ARGV;
	my %named = map { $_ => 1 } @$named;
	my @wild = map { join("\\w+", map { quotemeta } split(/\*/, $_, -1)) } grep { /\*/ } @$named;
	for my $alias (@$have) {
		print "$alias\n" unless $named{$alias} || grep { $alias =~ /^$_$/ } @wild;
	}' "$work/have" "$work/named" >"$work/untriggered"
compare "$work/untriggered" "$dir/aliases-untriggered.txt" "in no test"
echo "$(wc -l <"$work/want") public aliases, $(wc -l <"$work/missing") missing," \
	"$(wc -l <"$work/have") here, $(wc -l <"$work/untriggered") in no test"
exit $status
