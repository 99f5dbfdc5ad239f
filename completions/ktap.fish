# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of ktap for fish. `ktap complete LINE` knows the words: it prints the one before the cursor, then what it may become.
function __ktap_complete
    set -l line (commandline -cp)
    for word in (ktap complete "$line" 2>/dev/null | tail -n +2)
        echo $word
        # fish ends a single word with a quote and a space, but not what several have in common.
        if string match -qr '[("]$' -- $word
            echo "$word..."
        end
    end
end
complete -c ktap -f -a '(__ktap_complete)'
