#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# ktap fmt: the layout, files and standard input, --check, what is refused; over every script of the tree nothing but white space
# changes, a second run changes nothing, and the parse stays.
. "$SRCDIR/testsuite/lib/sh.sh"

# Spaces, indentation, blocks and their comments. Line breaks within statements and blank lines between them stay.
cat >messy.stp <<'EOF'
#!/usr/bin/env ktap


global  a,b%[3]   # one
global longer   # another
@define twice(x) %( (@x)*2 %)
probe begin,timer . s(1)?{a=1;if(a==1)println("a") else if (b) {  b=-1+ - -2

 a++ ;}
 else
 foreach(x in c@sum-limit 10)
   for (;;)
   delete c[ x , b]
   # in
  next
  # end
}
probe syscall.{open,close}.return if(@1>1),kernel.function("sys_*"),x.a*b*  { }
function f:long(x:string,y)%{ /* pure */ %}
probe z =
 begin ,
 end
{
%( kernel_v>="2" %?
   s = "x" "y".a
   foo(a,
b, bar(
c),
   d)
%:
s = 2
%)
   t = a?b:c ; # left
               # below
     /* several
          lines */
   println(&@cast(a, "b")->c[1],!!a, a- -b, a++ +b,x[*,1])
    try { a() } catch(e) { b() }


}, { $x->next = 1 }
EOF
cat >neat.stp <<'EOF'
#!/usr/bin/env ktap

global a, b%[3] # one
global longer # another
@define twice(x) %( (@x) * 2 %)
probe begin, timer.s(1) ? {
	a = 1; if (a == 1) println("a") else if (b) {
		b = -1 + - -2

		a++;
	}
	else
		foreach (x in c @sum- limit 10)
			for (;;)
				delete c[x, b]
	# in
	next
	# end
}
probe syscall.{open, close}.return if (@1 > 1), kernel.function("sys_*"), x.a*b* { }
function f:long (x:string, y) %{ /* pure */ %}
probe z =
	begin,
	end
{
%( kernel_v >= "2" %?
	s = "x" "y" . a
	foo(a,
	    b, bar(
		    c),
	    d)
%:
	s = 2
%)
	t = a ? b : c; # left
	               # below
	/* several
	     lines */
	println(&@cast(a, "b")->c[1], !!a, a - -b, a++ + b, x[*, 1])
	try { a() } catch (e) { b() }
}, { $x->next = 1 }
EOF
sed -i 's/^	               # below/                       # below/' neat.stp
"$KTAP" fmt <messy.stp >out 2>err || fail "standard input is refused"
diff neat.stp out || fail "not the layout"
"$KTAP" fmt - <neat.stp >out 2>err || fail "what is formatted is refused"
cmp neat.stp out || fail "a second run changes something"

# Files: only those that differ are written, through links, with their modes.
cp messy.stp one.stp
chmod 640 one.stp
ln -s one.stp link.stp
cp neat.stp two.stp
touch -d 2001-01-01 two.stp
ktap fmt --check one.stp two.stp link.stp
test "$status" = 1 || fail "--check ends with $status"
test "$(tr '\n' ' ' <out)" = "one.stp link.stp " || fail "--check names other files"
cmp messy.stp one.stp || fail "--check writes"
ktap fmt link.stp two.stp
accepted
cmp neat.stp one.stp || fail "the file is not formatted"
test -L link.stp || fail "the link is replaced"
test "$(stat -c %a one.stp)" = 640 || fail "the mode is lost"
test "$(date -r two.stp +%Y)" = 2001 || fail "a formatted file is written again"
ktap fmt --check one.stp two.stp
accepted
test ! -s out || fail "--check names formatted files"
test "$(find . -name '*.tmp-*')" = "" || fail "a temporary file is left"

# What does not parse stays; the others are formatted.
printf 'probe begin {  exit( }\n' >broken.stp
cp broken.stp kept.stp
cp messy.stp one.stp
ktap fmt broken.stp one.stp
test "$status" = 2 || fail "status $status after an error"
refused syntax
said '^broken.stp:1:22: error: '
cmp broken.stp kept.stp || fail "a broken file is changed"
cmp neat.stp one.stp || fail "the file after a broken one is not formatted"
ktap fmt nosuch.stp
refused io
ktap fmt --chek one.stp
refused usage
test "$status" = 2 || fail "status $status after wrong use"
# Arguments of the script may be names or numbers.
# shellcheck disable=SC2016
printf 'global  $1\nprobe  timer.s(1) { println( $1 ) }\n' | "$KTAP" fmt >out 2>err || fail "an argument that is a name"
printed '^probe timer.s(1) { println($1) }$'

# Every script of the tree. The name says where it was.
mkdir tree
(cd "$SRCDIR" && find tapset examples testsuite -name '*.stp' -o -name '*.stpm') | while read -r f; do
	cp "$SRCDIR/$f" "tree/$(echo "$f" | tr / +)"
done
chmod -R u+w tree
cp -r tree before
cd tree || exit 1
find . -name '*.stp*' -print0 | xargs -0 "$KTAP" fmt >../out 2>../err
! grep 'internal error' ../err || fail "internal error"
find . -name '*.stp*' -print0 | xargs -0 "$KTAP" fmt --check >../differ 2>/dev/null
cd ..
test ! -s differ || fail "formatted again they differ: $(head -n 5 differ)"
# shellcheck disable=SC2016
perl -e '
	sub words { open(my $in, "<:raw", $_[0]) or die "$_[0]: $!\n"; local $/; my $t = <$in>; $t =~ s/\s+//g; return $t }
	my $changed = 0;
	for (glob "before/*") {
		my $new = s/^before/tree/r;
		die "FAILED: $_: more than white space changes\n" if words($_) ne words($new);
		$changed++ if -s $_ != -s $new;
	}
	die "FAILED: only $changed files change\n" if $changed < 100;
' || exit 1
# The parse, of some: where the file is changed and needs no options.
for new in tree/examples+[a-d]*.stp; do
	"$KTAP" -p1 "before/${new#tree/}" >p1 2>/dev/null || continue
	"$KTAP" -p1 "$new" 2>/dev/null | cmp -s - p1 || fail "$new is parsed to something else"
done
