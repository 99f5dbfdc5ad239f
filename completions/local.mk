# SPDX-License-Identifier: GPL-2.0-or-later
# The shells' completion asks `ktap complete`, so none of these files lists a word.
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
fishcompletiondir = $(datadir)/fish/vendor_completions.d
dist_bashcompletion_DATA = completions/ktap.bash
dist_zshcompletion_DATA = completions/_ktap
dist_fishcompletion_DATA = completions/ktap.fish
