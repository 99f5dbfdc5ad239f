# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of ktap for bash. `ktap complete LINE` knows the words: it prints the one before the cursor, then what it may become.
_ktap()
{
	local cur=${COMP_WORDS[COMP_CWORD]} line word skip quote=
	local -a lines

	mapfile -t lines < <("${COMP_WORDS[0]}" complete "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
	# bash replaces what is behind the last = or :, or the quote; the words begin earlier.
	case $cur in
	\'* | \"*) quote=${cur:0:1} cur=${cur:1} ;;
	= | :) cur= ;;
	*) cur=${cur//\\/} ;;
	esac
	skip=$((${#lines[0]} - ${#cur}))
	COMPREPLY=()
	for line in "${lines[@]:1}"; do
		word=${line%%$'\t'*}
		word=${word:skip}
		[[ $quote ]] || printf -v word %q "$word"
		COMPREPLY+=("$word")
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
