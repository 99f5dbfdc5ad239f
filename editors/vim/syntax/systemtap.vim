" SPDX-License-Identifier: GPL-2.0-or-later
" The words are those of translator/syntax/scan.l; testsuite/cli/grammars.sh compares them.
if exists('b:current_syntax')
  finish
endif
let s:saved_cpo = &cpo
set cpo&vim
syntax case match
syntax sync minlines=200

syntax keyword systemtapKeyword probe global private function return delete break continue next try catch
syntax keyword systemtapConditional if else
syntax keyword systemtapRepeat for foreach in limit while
syntax keyword systemtapType string long
syntax match systemtapTodo contained '\<\(T[O]DO\|F[I]XME\|X[X]X\)\>'

" A member may have the name of a keyword.
syntax match systemtapMember '->\s*\h\w*'
syntax match systemtapFunction '\<\h\w*\ze\s*('
" A part of a probe point may, too; `.` between spaces joins strings.
syntax match systemtapPoint '\.\h\w*'
syntax match systemtapNumber '\<\d\w*\>'
syntax match systemtapMacro '@\h\w*'
syntax match systemtapTarget '\$\$\?\h[0-9A-Za-z_$]*'
syntax match systemtapTarget '[$@]\(\d\+\|#\)'
syntax match systemtapPretty '\$\$\?\ze\s*\([^[:alnum:]_#$ \t]\|$\)'

syntax match systemtapEscape contained '\\\(\o\{1,3}\|x\x\+\|.\)'
syntax match systemtapConversion contained '%\([-+ #0!<>]*\(\d\+\|\*\)\?\(\.\(\d\+\|\*\)\)\?l\{,2}[a-zA-Z]\|%\)'
syntax region systemtapString start='"' skip='\\\\\|\\"\|\\\n' end='"\|$' contains=systemtapEscape,systemtapConversion

syntax match systemtapComment '#.*$' contains=systemtapTodo
syntax match systemtapComment '//.*$' contains=systemtapTodo
syntax region systemtapComment start='/\*' end='\*/' contains=systemtapTodo

syntax match systemtapPreprocessor '%[(?:)]'
syntax include @systemtapC syntax/c.vim
syntax region systemtapEmbedded matchgroup=systemtapPreprocessor start='%{' end='%}' contains=@systemtapC keepend

highlight default link systemtapKeyword Statement
highlight default link systemtapConditional Conditional
highlight default link systemtapRepeat Repeat
highlight default link systemtapType Type
highlight default link systemtapTodo Todo
highlight default link systemtapFunction Function
highlight default link systemtapPoint Special
highlight default link systemtapNumber Number
highlight default link systemtapMacro Macro
highlight default link systemtapTarget Identifier
highlight default link systemtapPretty Identifier
highlight default link systemtapEscape SpecialChar
highlight default link systemtapConversion SpecialChar
highlight default link systemtapString String
highlight default link systemtapComment Comment
highlight default link systemtapPreprocessor PreProc

let b:current_syntax = 'systemtap'
let &cpo = s:saved_cpo
unlet s:saved_cpo
