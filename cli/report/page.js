/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sections of the page, for one run or for two. What a run does not have has no section. */

var runs = [];     /* one, or before and after */
var drawn = [];    /* drawings, which are drawn again when the window changes */

function both(of) { return runs.map(of); }

function two() { return runs.length === 2; }

function latest() { return runs[runs.length - 1]; }

/* Labels that at least one run has in its table MEMBER. */
function labels(member) {
	var all = Object.create(null);

	runs.forEach(function (run) { Object.keys(run[member]).forEach(function (label) { all[label] = true; }); });
	return Object.keys(all);
}

function section(title, children) {
	var id = title.toLowerCase().replace(/[^a-z]+/g, "-");

	return { id: id, title: title, element: html("section", { id: id, "aria-labelledby": id + "-title" },
		[html("h2", { id: id + "-title" }, title)].concat(children)) };
}

function figure(title, children) {
	return html("div", { "class": "figure" }, [html("h3", {}, title)].concat(children));
}

/* An element whose children MAKE returns; show() makes them again. */
function slot(make) {
	var element = html("div");

	element.show = function () {
		var parts;

		drawn = drawn.filter(function (box) { return element.boxes.indexOf(box) < 0; });
		parts = make();
		element.boxes = parts.filter(function (part) { return part.redraw; });
		drawn = drawn.concat(element.boxes);
		add(empty(element), parts);
		element.boxes.forEach(function (box) { box.redraw(); });
	};
	element.boxes = [];
	element.show();
	return element;
}

/* ---- summary ---- */

function machine(start) {
	return [start["host.name"], start["host.arch"]].filter(Boolean).join(", ");
}

function from_starts(of) {
	return function (run) {
		return run.starts.map(of).filter(function (text, i, all) { return text && all.indexOf(text) === i; }).join("; ");
	};
}

function lost_total(lost) {
	return Object.keys(lost || {}).reduce(function (sum, cause) { return sum + Number(lost[cause]); }, 0);
}

function lost_text(lost) {
	return Object.keys(lost || {}).map(function (cause) { return cause + " " + exact(lost[cause]); }).join(", ");
}

function from_exits(of, without) {
	return function (run) {
		return run.exits.length ? run.exits.map(of).join("; ") : without;
	};
}

function when(start) {
	return start.time_unix_nano === undefined ? "" : new Date(Number(start.time_unix_nano) / 1e6).toISOString().replace("T", " ").replace(/\..*/, " UTC");
}

var SUMMARY = [
	["script", from_starts(function (s) { return s.script ? s.script.name : ""; })],
	["SHA-256 of the script", from_starts(function (s) { return s.script ? s.script.sha256 : ""; })],
	["command", from_starts(function (s) { return s["process.command_line"] || ""; })],
	["process", from_starts(function (s) { return s["process.pid"] === undefined ? "" : String(s["process.pid"]); })],
	["machine", from_starts(machine)],
	["kernel", from_starts(function (s) { return [s["kernel.release"], s["kernel.version"]].filter(Boolean).join(" "); })],
	["runs in", from_starts(function (s) { return s.runtime === "user" ? "a process" : "the kernel"; })],
	["ktap", from_starts(function (s) { return s.ktap; })],
	["started", from_starts(when)],
	["duration", function (run) { return run.seconds === undefined ? "" : exact(run.seconds.toFixed(3)) + " s"; }],
	["exit status", from_exits(function (e) { return String(e["process.exit.code"]); }, "unknown: the output was cut off")],
	["handlers ended by errors", from_exits(function (e) { return exact(e.errors); }, "")],
	["warnings", function (run) { return String(run.messages.filter(function (m) { return m.type === "warning"; }).length); }],
	["lost", from_exits(function (e) { return lost_total(e.lost) ? lost_text(e.lost) : "nothing"; }, "")]
];

function summary_section() {
	var rows = SUMMARY.map(function (row) { return [row[0], both(row[1])]; }).filter(function (row) { return row[1].some(Boolean); });

	return section("Summary", html("table", { "class": "facts" }, [
		two() ? html("thead", {}, html("tr", {}, [html("td")].concat(names_of_runs().map(function (name) {
			return html("th", { scope: "col" }, name);
		})))) : "",
		html("tbody", {}, rows.map(function (row) {
			var differs = two() && row[1][0] !== row[1][1];

			return html("tr", { "class": differs ? "differs" : undefined }, [html("th", { scope: "row" }, row[0])].concat(row[1].map(function (text) {
				return html("td", {}, text);
			})));
		}))
	]));
}

function names_of_runs() {
	return both(function (run, i) { return !two() ? run.name : (i ? "after: " : "before: ") + run.name; });
}

/* ---- time ---- */

/* LABEL of each run that has snapshots of it. */
function histories(label) {
	return both(function (run) { return run.history[label] || []; });
}

function unit_of_x() {
	return runs.every(function (run) { return run.timed; }) ? "s" : "snapshot";
}

function time_figure(label) {
	var all = histories(label), last = all.filter(function (history) { return history.length; }).pop();
	var measures = measures_of(last[last.length - 1].object), chosen = 0, view;

	if (unit_of_x() === "s")
		measures.forEach(function (measure) { measure.title = measure.title.replace("interval unit", "second"); });
	else
		measures.forEach(function (measure) { measure.title = measure.title.replace("interval unit", "snapshot"); });
	view = slot(function () {
		var lines = [], names = [];

		all.forEach(function (history, side) {
			if (history.length)
				lines_of(history, measures[chosen]).forEach(function (line) {
					if (names.indexOf(line.label) < 0)
						names.push(line.label);
					line.color = names.indexOf(line.label);
					line.label += two() ? side ? " after" : " before" : "";
					line.dashed = two() && !side;
					lines.push(line);
				});
		});
		return lines.length ? line_chart(lines, unit_of_x(), label).parts : [html("p", {}, "Too few snapshots.")];
	});
	return figure(label, [choice("Show", measures.map(function (measure) { return measure.title; }), function (i) {
		chosen = i;
		view.show();
	}), view]);
}

function time_section() {
	var list = labels("history").filter(function (label) {
		return histories(label).some(function (history) { return history.length > 1 && !has_stacks(history[0].object) && history[0].object.value_type !== "string"; });
	});

	return list.length ? section("Over time", list.map(time_figure)) : null;
}

/* ---- distributions ---- */

/* Keys of the array LABEL that have a histogram, the largest first. */
function keys_with_histogram(label) {
	var seen = Object.create(null), list = [];

	runs.slice().reverse().forEach(function (run) {
		var object = run.values[label];

		if (object)
			entries_of(object).forEach(function (entry) {
				var id = key_id(entry.key);

				if (!buckets_of(entry.value).length || seen[id])
					return;
				seen[id] = true;
				list.push({ id: id, text: key_text(entry.key), weight: weight_of(entry.value) });
			});
	});
	return list.sort(function (a, b) { return b.weight - a.weight; });
}

function facts_of(value) {
	return !is_aggregate(value) ? "no values" : ["count", "min", "avg", "max", "sum"].filter(function (name) {
		return value[name] !== undefined;
	}).map(function (name) { return name + " " + exact(value[name]); }).join(", ");
}

function distribution_figure(label) {
	var keys = keys_with_histogram(label), chosen = 0, view;

	view = slot(function () {
		var id = keys[chosen].id, values = both(function (run) { return by_key(run.values[label])[id]; }), parts;

		parts = values.map(function (value, side) { return html("p", {}, (two() ? names_of_runs()[side] + ": " : "") + facts_of(value)); });
		parts.push(histogram(values, two() ? ["before", "after"] : ["count"]));
		runs.forEach(function (run, side) {
			var heat = heat_of(run.history[label] || [], id);

			if (heat.xs.length > 1 && heat.cells.length)
				parts = parts.concat(html("h4", {}, "New values in each interval" + (two() ? side ? ", after" : ", before" : "")),
					heat_map(heat, run.timed ? "s" : "snapshot", label).parts);
		});
		return parts;
	});
	return figure(label, [keys.length < 2 ? "" : choice("Key", keys.slice(0, 500).map(function (key) { return key.text; }), function (i) {
		chosen = i;
		view.show();
	}), view]);
}

function distribution_section() {
	var list = labels("values").filter(function (label) { return keys_with_histogram(label).length; });

	return list.length ? section("Distributions", list.map(distribution_figure)) : null;
}

/* ---- stacks ---- */

function stack_figure(label) {
	var objects = both(function (run) { return run.values[label]; });
	var aggregate = objects.some(function (object) { return object && object.value_type === "aggregate"; });
	var measures = aggregate ? ["count", "sum"] : [""], state = { search: "", side: runs.length - 1, two: two() }, measure = 0, view, found;

	found = html("span", { "class": "found", "aria-live": "polite" });

	function count_matches() {
		var sum = state.search ? matched_weight(state, state.root) : 0;

		found.textContent = state.search ? percent(sum, state.root.total[state.side]) + " in frames that match" : "";
	}
	view = slot(function () {
		state.root = tree_of(objects, measures[measure]);
		state.says = readout();
		state.says.textContent = describe(state, state.root);
		count_matches();
		return [flame_graph(state), state.says, html("details", {}, [html("summary", {}, "Functions"), function_table(state.root, label)])];
	});
	return figure(label, [html("div", { "class": "controls" }, [
		aggregate ? choice("Width", ["number of stacks", "sum of the values (time)"], function (i) { measure = i; view.show(); }) : "",
		choice("Order", ["flame: callers below", "icicle: callers above"], function (i) { state.down = i === 1; state.redraw(); }),
		search_field("Search", function (text) { state.search = text; count_matches(); state.redraw(); }),
		found,
		button("Show all", function () { state.zoom = [state.root]; state.redraw(); })
	]), two() ? html("p", { "class": "key" }, "Widths are those after. Red frames have a larger part of the whole than before, blue ones a smaller part.") : "", view]);
}

function function_table(root, label) {
	var after = runs.length - 1;
	var columns = [
		{ title: "function", of: function (f) { return f.name; } },
		{ title: "module", of: function (f) { return f.module; } },
		{ title: "itself", numeric: true, of: function (f) { return f.self[after]; } },
		{ title: "with callees", numeric: true, of: function (f) { return f.total[after]; } }
	];

	if (two())
		columns.push({ title: "with callees before", numeric: true, of: function (f) { return f.total[0]; } });
	return table(columns, functions_of(root), { sort: 2, label: "functions of " + label });
}

function stack_section() {
	var list = labels("values").filter(function (label) {
		return runs.some(function (run) { return run.values[label] && has_stacks(run.values[label]); });
	});

	return list.length ? section("Stacks", list.map(stack_figure)) : null;
}

/* ---- values ---- */

var PARTS = ["count", "min", "avg", "max", "sum"]; /* of an aggregate */

function value_columns(aggregate) {
	function column(title, of) { return { title: title, numeric: true, of: of }; }

	function member(name, side) {
		return function (row) {
			var value = row.values[side];

			return value === undefined ? undefined : !is_aggregate(value) ? value : value[name];
		};
	}
	if (!two())
		return aggregate ? PARTS.map(function (name) { return column(name, member(name, 0)); }) : [column("value", member("", 0))];
	return [].concat.apply([], (aggregate ? ["count", "avg", "sum"] : [""]).map(function (name) {
		var title = name ? name + " " : "";

		return [column(title + "before", member(name, 0)), column(title + "after", member(name, 1)), column(title + "change", function (row) {
			return Number(member(name, 1)(row) || 0) - Number(member(name, 0)(row) || 0);
		})];
	}));
}

/* Rows of all runs: { key, values }. */
function value_rows(objects) {
	var rows = Object.create(null), list = [];

	objects.forEach(function (object, side) {
		if (object)
			entries_of(object).forEach(function (entry) {
				var id = key_id(entry.key);

				if (!rows[id])
					list.push(rows[id] = { key: entry.key, values: [] });
				rows[id].values[side] = entry.value;
			});
	});
	return list;
}

function value_figure(label) {
	var objects = both(function (run) { return run.values[label]; }), some = objects[objects.length - 1] || objects[0];
	var columns = (some.key_types || []).map(function (type, i, types) {
		return { title: types.length > 1 ? "key " + (i + 1) : "key", numeric: type === "long", of: function (row) { return part_text(row.key[i]); } };
	}), text = some.value_type === "string";

	columns = columns.concat(value_columns(some.value_type === "aggregate"));
	if (text)
		columns.forEach(function (column) { column.numeric = column.numeric && /^key/.test(column.title); });
	return figure(label, [some.complete === false ? html("p", { "class": "warning" }, "Entries are missing: records of the session were lost.") : "",
		table(columns, value_rows(objects), { label: label, sort: text ? undefined : (some.key_types || []).length + (two() ? 2 : 0) })]);
}

function value_section() {
	var maps = labels("values").filter(function (label) { return runs.some(function (run) { return run.values[label] && run.values[label].type === "map"; }); });
	var simple = labels("values").filter(function (label) { return maps.indexOf(label) < 0; });
	var parts = [];

	if (simple.length)
		parts.push(figure("globals", table([{ title: "name", of: function (row) { return row.label; } }].concat(both(function (run, side) {
			return { title: two() ? side ? "after" : "before" : "value", of: function (row) {
				var object = runs[side].values[row.label];

				return object === undefined ? undefined : is_aggregate(object.value) ? facts_of(object.value) :
					object.value_type === "long" ? exact(object.value) : object.value;
			} };
		})), simple.map(function (label) { return { label: label }; }), { label: "globals" })));
	parts = parts.concat(maps.map(value_figure));
	return parts.length ? section("Values", parts) : null;
}

/* ---- probes, messages, output, script ---- */

function place_text(place) {
	return place["code.file.path"] === undefined ? "" : place["code.file.path"] + ":" + place["code.line.number"];
}

function probe_rows() {
	var rows = Object.create(null);

	function row(label) {
		return rows[label] = rows[label] || { point: label, ledgers: [] };
	}
	runs.forEach(function (run, side) {
		run.starts.forEach(function (start) {
			(start.probes || []).forEach(function (probe) {
				var of = row(label_of(start, probe.point));

				of.mechanism = probe.mechanism;
				of.place = place_text(probe);
			});
		});
		Object.keys(run.ledgers).forEach(function (label) { row(label).ledgers[side] = run.ledgers[label]; });
	});
	return Object.keys(rows).map(function (label) { return rows[label]; });
}

function ledger_columns(side) {
	function of(member) {
		return function (row) { return row.ledgers[side] ? member(row.ledgers[side]) : undefined; };
	}
	var suffix = two() ? side ? " after" : " before" : "";

	return [
		{ title: "hits" + suffix, numeric: true, of: of(function (l) { return l.hits; }) },
		{ title: "handled" + suffix, numeric: true, of: of(function (l) { return l.handled; }) },
		{ title: "lost" + suffix, numeric: true, of: of(function (l) { return lost_total(l.lost); }),
			text: function (row) { return row.ledgers[side] ? lost_text(row.ledgers[side].lost) : ""; } },
		{ title: "cycles each" + suffix, numeric: true, of: of(function (l) {
			return l.cycles && l.cycles.count ? Math.round(Number(l.cycles.sum) / Number(l.cycles.count)) : undefined;
		}) }
	];
}

function probe_section() {
	var rows = probe_rows(), columns = [
		{ title: "probe", of: function (row) { return row.point; } },
		{ title: "fired by", of: function (row) { return row.mechanism || ""; } },
		{ title: "place", of: function (row) { return row.place || ""; } }
	].concat([].concat.apply([], both(function (run, side) { return ledger_columns(side); })));

	columns = columns.filter(function (column) { return !column.numeric || rows.some(function (row) { return column.of(row) !== undefined; }); });
	return rows.length ? section("Probes and losses", table(columns, rows, { label: "probes" })) : null;
}

function message_section() {
	var rows = [].concat.apply([], both(function (run, side) {
		return run.messages.map(function (message) {
			return { side: side, message: message };
		});
	}));
	var columns = [
		{ title: "kind", of: function (row) { return row.message.type; } },
		{ title: "message", of: function (row) { return label_of(row.message, row.message.message); } },
		{ title: "tag", of: function (row) { return row.message.tag || ""; } },
		{ title: "probe", of: function (row) { return row.message.point || ""; } },
		{ title: "place", of: function (row) { return row.message.place ? place_text(row.message.place) || row.message.place.text : ""; } }
	];

	if (two())
		columns.unshift({ title: "run", of: function (row) { return row.side ? "after" : "before"; } });
	return rows.length ? section("Warnings and errors", table(columns, rows, { label: "warnings and errors" })) : null;
}

var OUTPUT_SHOWN = 100000; /* characters, until the button is pressed */

function output_figure(run, side) {
	var all = run.prints.map(function (print) { return print.text; }).join(""), pre, more;

	if (!all)
		return "";
	pre = html("pre", { tabindex: 0 }, all.slice(0, OUTPUT_SHOWN));
	more = button("Show all " + exact(all.length) + " characters", function () { pre.textContent = all; more.hidden = true; });
	more.hidden = all.length <= OUTPUT_SHOWN;
	return two() ? figure(names_of_runs()[side], [pre, more]) : html("div", {}, [pre, more]);
}

function output_section() {
	return runs.some(function (run) { return run.prints.length; }) ? section("Output", both(output_figure)) : null;
}

/* Each script once, its lines with numbers. */
function script_section() {
	var seen = Object.create(null), parts = [];

	runs.forEach(function (run) {
		run.starts.forEach(function (start) {
			if (!start.script || start.script.text === undefined || seen[start.script.text])
				return;
			seen[start.script.text] = true;
			parts.push(figure(start.script.name, html("pre", { "class": "script", tabindex: 0 }, html("code", {},
				start.script.text.replace(/\n$/, "").split("\n").map(function (line) { return html("span", {}, line + "\n"); })))));
		});
	});
	return parts.length ? section("Script", parts) : null;
}

/* ---- the page ---- */

function build() {
	var sections = [summary_section(), time_section(), distribution_section(), stack_section(), value_section(), probe_section(),
		message_section(), output_section(), script_section()].filter(Boolean);

	add(empty(document.getElementById("contents")), html("ul", {}, sections.map(function (part) {
		return html("li", {}, html("a", { href: "#" + part.id }, part.title));
	})));
	add(empty(document.getElementById("report")), sections.map(function (part) { return part.element; }));
}

function redraw_all() {
	drawn.forEach(function (box) { box.redraw(); });
}

try {
	[].forEach.call(document.querySelectorAll("script.run"), function (element) {
		runs.push(read_run(element.getAttribute("data-name"), JSON.parse(element.textContent)));
	});
	build();
	redraw_all();
	window.addEventListener("resize", redraw_all);
} catch (error) {
	add(document.getElementById("report"), html("p", { "class": "warning", role: "alert" }, "The data cannot be shown: " + error.message));
}
