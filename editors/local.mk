# SPDX-License-Identifier: GPL-2.0-or-later
# Highlighting: Vim finds its files where they are installed; the folder vscode is an extension as it is.
vimsyntaxdir = $(datadir)/vim/vimfiles/syntax
vimftdetectdir = $(datadir)/vim/vimfiles/ftdetect
vimftplugindir = $(datadir)/vim/vimfiles/ftplugin
vscodedir = $(pkgdatadir)/vscode
dist_vimsyntax_DATA = editors/vim/syntax/systemtap.vim
dist_vimftdetect_DATA = editors/vim/ftdetect/systemtap.vim
dist_vimftplugin_DATA = editors/vim/ftplugin/systemtap.vim
dist_vscode_DATA = editors/vscode/package.json editors/vscode/language-configuration.json \
	editors/vscode/systemtap.tmLanguage.json
