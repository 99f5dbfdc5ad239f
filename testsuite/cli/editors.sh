#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The grammars of editors/ give each word of a script its class, in real vim and by the rules of TextMate.
. "$SRCDIR/testsuite/lib/sh.sh"

editors=$SRCDIR/editors
cat >sample.stp <<'END'
# Counts opens.
global opens, sizes
@define NAME(x) %( %( $# > 1 %? @x %: execname() %) %)
probe syscall.openat, kernel.function("do_*@fs/*.c").return ? {
  if (pid() == target()) opens[@NAME(1), user_string($filename)]++
  sizes <<< $return->f_flags->next /* not a
    keyword: while */ ; printf("%-5d \" if %s\n", 0x1f, $$parms$)
}
function f:long(s:string) %{ /* pure */ return THIS->x; %}
probe end { foreach (k in sizes- limit 5) println($file$$, 10, "100%") // while
}
END
ktap -p1 -g sample.stp one
accepted
# Line, word, vim's group, TextMate's scope without .systemtap.
cat >want <<'END'
1:# Comment comment.line.number-sign
2:global Keyword keyword.control
2:opens - -
3:@define Macro entity.name.function.macro
3:%( Preprocessor keyword.control.preprocessor
3:$# Target variable.other.target
3:%? Preprocessor keyword.control.preprocessor
3:@x Macro entity.name.function.macro
3:execname Function entity.name.function
4:probe Keyword keyword.control
4:.openat Point support.type.point
4:.function Point support.type.point
4:"do_* String string.quoted.double
4:.return Point support.type.point
5:if Conditional keyword.control.conditional
5:pid Function entity.name.function
5:@NAME Macro entity.name.function.macro
5:$filename Target variable.other.target
6:$return Target variable.other.target
6:->f_flags Member variable.other.member
6:next Member variable.other.member
6:not Comment comment.block
7:while Comment comment.block
7:printf Function entity.name.function
7:%-5d Conversion constant.other.placeholder
7:\" Escape constant.character.escape
7:if String string.quoted.double
7:%s Conversion constant.other.placeholder
7:\n Escape constant.character.escape
7:0x1f Number constant.numeric
7:$$parms Target variable.other.target
9:long Type storage.type
9:%{ Preprocessor keyword.control.preprocessor
9:%} Preprocessor keyword.control.preprocessor
10:foreach Repeat keyword.control.loop
10:limit Repeat keyword.control.loop
10:$file$$ Target variable.other.target
10:10 Number constant.numeric
10:while Comment comment.line.double-slash
11:} - -
END
cut -d' ' -f1 want >asked

# shellcheck disable=SC2046
perl "$SRCDIR/testsuite/lib/textmate.pl" "$editors/vscode/systemtap.tmLanguage.json" sample.stp $(cat asked) >have ||
	fail "the grammar of TextMate cannot be used"
sed 's/\.systemtap$//' have >short
cut -d' ' -f1,3 want | diff - short || fail "classes by TextMate"

# The keywords of both are those of the scanner.
grep -o '{ "[a-z]*", [A-Z_]* }' "$SRCDIR/translator/syntax/scan.l" | sed 's/{ "\([a-z]*\)".*/\1/' | sort >keywords
test "$(wc -l <keywords)" -ge 20 || fail "the keywords of scan.l are not found"
sed -n 's/^syntax keyword systemtap\(Keyword\|Conditional\|Repeat\|Type\) //p' "$editors/vim/syntax/systemtap.vim" | tr ' ' '\n' |
	sort | diff keywords - || fail "keywords of vim"
grep -o 'b([a-z|]*)' "$editors/vscode/systemtap.tmLanguage.json" | grep -v stap | sed 's/b(//; s/)//' | tr '|' '\n' |
	sort | diff keywords - || fail "keywords of TextMate"

# Vim itself. -es is silent; a grammar with an error makes the messages not empty.
command -v vim >/dev/null || { echo "vim is not installed"; exit 77; }
cat >ask.vim <<'END'
let lines = [&filetype]
for asked in readfile('asked')
  let number = str2nr(asked)
  let word = substitute(asked, '^\d*:', '', '')
  let group = synIDattr(synID(number, stridx(getline(number), word) + 1, 1), 'name')
  call add(lines, asked . ' ' . (group == '' ? '-' : substitute(group, '^systemtap', '', '')))
endfor
call add(lines, &commentstring)
redir => messages
silent messages
redir END
let errors = filter(split(messages, '\n'), 'v:val =~# "^E[0-9]"')
edit bad.stp
silent make!
let bad = filter(getqflist(), 'v:val.valid')
call add(lines, empty(bad) ? 'no error found' : bad[0].type . ' ' . bad[0].lnum . ':' . bad[0].col)
call writefile(lines + errors, 'have')
qall!
END
printf 'probe begin {\n  println(pid( )\n}\n' >bad.stp
PATH="$(dirname "$KTAP"):$PATH" TERM=xterm timeout 60 vim -Nu NONE -es -c "set runtimepath^=$editors/vim" -c 'filetype plugin on' \
	-c 'syntax on' -c 'edit sample.stp' -c 'source ask.vim' </dev/null >messages 2>&1
{
	echo systemtap
	cut -d' ' -f1,2 want
	echo '// %s'
	echo 'e 3:1'
} >lines
diff lines have || { cat messages; fail "vim"; }

# Stored procedures of SQL stay what Vim takes them for.
printf 'CREATE PROCEDURE p AS SELECT 1\n' >sql.stp
TERM=xterm timeout 60 vim -Nu NONE -es -c "set runtimepath^=$editors/vim" -c 'filetype on' -c 'edit sql.stp' \
	-c 'call writefile([&filetype], "have")' -c 'qall!' </dev/null >messages 2>&1
! grep systemtap have || fail "a script of SQL is taken for SystemTap's"
