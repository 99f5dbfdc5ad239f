/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a script's rows to its probes. The kit and the programs of --runtime=user do this before anything else reads them. */
#ifndef KT_CORE_PROBES_H
#define KT_CORE_PROBES_H

#include "runtime/abi.h"

/* Fills the probes of S from their rows. */
static inline void kt_probes_fill(const struct kt_script *s)
{
	for (kt_u32 i = 0; i < s->n_probes; i++) {
		const struct kt_probe_row *row = &s->rows[i];
		const struct kt_handler *handler = &s->handlers[row->handler];

		s->probes[i] = (struct kt_probe){
			.handler = handler->run,
			.light = handler->light,
			.at = handler->at,
			.add = handler->add,
			.pp = s->texts + row->pp,
			.index = i,
			.flags = row->flags,
			.condition = s->conditions[row->condition],
			.alias = row->alias ? s->texts + row->alias : NULL,
			.words = row->words,
		};
	}
}

#endif
