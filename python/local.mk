# SPDX-License-Identifier: GPL-2.0-or-later
# The package HelperSDT, whose extension is compiled for the python3 whose headers configure found.
if HAVE_PYTHON
python_sources = python/extension.c
helpersdt = python/HelperSDT/__init__.py python/HelperSDT/__main__.py
pythonhelperdir = $(libexecdir)/ktap/python/HelperSDT
pythonhelper_DATA = $(helpersdt) python/HelperSDT/$(PYTHON_MODULE)
CLEANFILES += python/HelperSDT/$(PYTHON_MODULE)

# Beside it lie its scripts, so that a build folder has the whole package. Sanitizers of ktap are not for Python.
python/HelperSDT/$(PYTHON_MODULE): $(python_sources) $(helpersdt)
	$(AM_V_CC)$(MKDIR_P) python/HelperSDT && { test -f python/HelperSDT/__main__.py || \
		for f in $(helpersdt); do ln -s $(abs_top_srcdir)/$$f $$f; done; } && \
	$(CC) -std=gnu11 -D_GNU_SOURCE $(KTAP_WARNINGS) $(KTAP_PREFIX_MAP) $(PYTHON_CFLAGS) $(CPPFLAGS) $(CFLAGS) -fPIC -shared $(LDFLAGS) \
		-o $@ $(addprefix $(srcdir)/,$(python_sources))

mostlyclean-local:
	rm -rf python/HelperSDT/__pycache__
	test $(srcdir) = . || rm -rf python/HelperSDT
endif
