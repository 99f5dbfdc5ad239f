#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# expand.pl copies the lines of tables, and refuses a template with an error, with its file and line.
set -u
mkdir -p lib
status=0
fail() {
	echo "$*"
	status=1
}
expand() { perl "$SRCDIR/tapset/expand.pl" out lib/t.stp.in 2>err; }

cat >lib/t.stp.in <<'END'
# Title
%# not copied
%set unit byte
%set more
	more of @call@
%end
%for call size extra
open  1  -
read  2  more
%do
%if extra
has @size@ @unit@s
@@extra@@
%end
f_@call@(@list(@size@|, |a#)@)
%for bit
x
y
%do
@call@_@bit@
%end
%end



end
END
cat >want <<'END'
# Title
f_open(a1)
open_x
open_y
has 2 bytes
	more of read
f_read(a1, a2)
read_x
read_y

end
END
expand || fail "refused: $(cat err)"
cmp -s want out/lib/t.stp || fail "$(diff want out/lib/t.stp)"

# TEMPLATE is refused with MESSAGE at LINE.
refused() {
	rm -rf out
	printf '%b' "$1" >lib/t.stp.in
	expand && fail "$1: accepted"
	grep -qxF "lib/t.stp.in:$2: $3" err || fail "$1: expected line $2: $3, got: $(cat err)"
	test ! -e out/lib/t.stp || fail "$1: a file is made"
}
refused 'a\n@nosuch@ b\n' 2 "nothing is named 'nosuch'"
refused '%for a b\n1  2\n3\n%do\n%end\n' 3 '1 cells, expected 2'
refused 'a\n%for a\n1\n%end\n' 2 'no %do'
refused 'a\n%for a\n1\n%do\nx\n' 2 'no %end'
refused 'a\n%end\n' 2 "'%end' belongs to nothing"
refused '%set a\n@a@\n%end\n@a@\n' 2 "'a' contains itself"
exit $status
