# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of ktap for bash. `ktap complete LINE` knows the words: it prints the one before the cursor, then what it may become.

# bash inserts the words as they are, so one that has a file name must not become code. _ktap_escape QUOTE: escapes $word for the place after
# this quote, or for no quote. Fails where no escape exists: for ' in single quotes, for ! in double quotes.
_ktap_escape()
{
	case $1 in
	'') printf -v word %q "$word" ;;
	\') [[ $word != *\'* ]] ;;
	\")
		[[ $word != *!* ]] || return
		word=${word//\\/\\\\} word=${word//\"/\\\"} word=${word//\$/\\\$} word=${word//\`/\\\`}
		;;
	esac
}

_ktap()
{
	local cur=${COMP_WORDS[COMP_CWORD]} line word skip quote=
	local -a lines

	COMPREPLY=()
	mapfile -t lines < <("${COMP_WORDS[0]}" complete "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
	# bash replaces what is behind the last = or :, or the quote; the words begin earlier.
	case $cur in
	\'* | \"*) quote=${cur:0:1} cur=${cur:1} ;;
	= | :) cur= ;;
	esac
	# ktap's word lacks the backslashes.
	[[ $quote == \' ]] || cur=${cur//\\?/.}
	# A quote within the word: whether the cursor is inside is unknown.
	case $quote$cur in
	\'*\'* | \"*\"* | [!\'\"]*[\'\"]*) return ;;
	esac
	skip=$((${#lines[0]} - ${#cur}))
	((skip >= 0)) || return
	for line in "${lines[@]:1}"; do
		word=${line%%$'\t'*}
		word=${word:skip}
		_ktap_escape "$quote" && COMPREPLY+=("$word")
	done
	case ${COMPREPLY[0]} in
	*[=/.\(\"])
		compopt -o nospace 2>/dev/null
		# bash closes the quote behind a single word, but not behind what several have in common.
		[[ ! $quote || ${#COMPREPLY[@]} != 1 ]] || COMPREPLY+=("${COMPREPLY[0]} ")
		;;
	esac
}
complete -F _ktap ktap
