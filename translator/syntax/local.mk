noinst_LIBRARIES += libsyntax.a
libsyntax_a_SOURCES = translator/syntax/ast.h translator/syntax/nodes.def translator/syntax/ops.def translator/syntax/parse.h
