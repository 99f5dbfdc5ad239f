#!/bin/sh
# Aliases of probe points, but those of system calls, which are made of one table:
# - every public one, public-aliases.txt, is in the library, or aliases-missing.txt says why not;
# - every one of the library stands in a test that makes it happen, of run-vm or an example, or aliases-untriggered.txt says
#   why none can. Returns count as their own.
# No row of the lists is out of date. Two spaces end the name.
dir=$SRCDIR/testsuite/house
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
status=0

# compare HAVE LIST WHAT: names that are only in LIST are out of date, those only in HAVE unexplained.
compare()
{
	sed '/^#/d; /^$/d; s/  .*//' "$2" | sort -u >"$work/listed"
	comm -23 "$1" "$work/listed" >"$work/unexplained"
	comm -13 "$1" "$work/listed" >"$work/stale"
	for list in unexplained stale; do
		test -s "$work/$list" || continue
		echo "$3, by ${2##*/} $list:"
		cat "$work/$list"
		status=1
	done
}

"$KTAP" --dump-probe-aliases | sed 's/ =.*//' | grep -v '^[dt]\?[wpn]\?d\?_\?syscall\.' | sort -u >"$work/have"
sed '/^#/d; /^$/d' "$dir/public-aliases.txt" | sort -u >"$work/want"
comm -23 "$work/want" "$work/have" >"$work/missing"
compare "$work/missing" "$dir/aliases-missing.txt" "not in the library"

# What stands behind `probe` in the tests, with its wild cards; {a,b} is not used there for aliases.
cat "$SRCDIR"/testsuite/run-vm/*.stp "$SRCDIR"/testsuite/run-vm/*.sh "$SRCDIR"/examples/*.stp |
	perl -ne 'print "$1\n" while /((?:[a-z_]\w*\.)+[\w*]+|\bprometheus\b|\bjson_data\b|\boneshot\b)/g' | sort -u >"$work/named"
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
