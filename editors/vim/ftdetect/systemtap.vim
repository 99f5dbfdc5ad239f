" SPDX-License-Identifier: GPL-2.0-or-later
" Vim takes *.stp for stored procedures of SQL. A script of SystemTap has a line that begins as its declarations do.
function! s:Detect() abort
  if getline(1) =~# '^#!.*\<\(stap\|ktap\)\>' || search('\v^\s*(\@define|function|(private\s+)?global|probe)>', 'cnw', 0, 100)
    set filetype=systemtap
  endif
endfunction

autocmd BufNewFile,BufRead *.stpm,*.stp.in set filetype=systemtap
autocmd BufNewFile,BufRead *.stp call s:Detect()
