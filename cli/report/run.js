/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the objects of -f json to runs. Members may be missing; of an object that came several times the last one counts. */

function new_run(name) {
	return {
		name: name, starts: [], exits: [], prints: [], messages: [], snapshots: 0,
		values: Object.create(null),  /* by label: the last `global` or `map` */
		ledgers: Object.create(null), /* by label: the last `ledger` */
		history: Object.create(null), /* by label: [{ x, object }], one for each snapshot */
		timed: false                  /* x are seconds since the start, else numbers of snapshots */
	};
}

/* NAME, and of --remote the machine. */
function label_of(object, name) {
	return object.remote === undefined ? String(name) : name + " (" + object.remote + ")";
}

/* The point of the ledger O; with its number where another probe has the same point. */
function ledger_label(run, o) {
	var label = label_of(o, o.point), first = run.ledgers[label];

	return first && first.number !== o.number ? label + " #" + o.number : label;
}

/* Seconds; undefined without --timestamps. */
function clock_of(object) {
	var time = object.time_unix_nano !== undefined ? object.time_unix_nano : object.time_mono_nano;

	return time === undefined ? undefined : Number(time) / 1e9;
}

function read_run(name, objects) {
	var run = new_run(name), waiting = [], first, last;

	function close_snapshot(object) {
		var time = clock_of(object);

		waiting.forEach(function (value) {
			var label = label_of(value, value.name);

			(run.history[label] = run.history[label] || []).push({
				x: time === undefined || first === undefined ? run.snapshots : time - first, object: value
			});
		});
		waiting = [];
	}

	function keep(object) {
		run.values[label_of(object, object.name)] = object;
		waiting.push(object);
	}

	var take = {
		start: function (o) { run.starts.push(o); },
		print: function (o) { run.prints.push(o); },
		warning: function (o) { run.messages.push(o); },
		error: function (o) { run.messages.push(o); },
		global: keep,
		map: keep,
		ledger: function (o) { run.ledgers[ledger_label(run, o)] = o; },
		snapshot: function (o) { run.snapshots++; close_snapshot(o); },
		exit: function (o) {
			run.exits.push(o);
			if (run.snapshots && waiting.length) {
				run.snapshots++;
				close_snapshot(o);
			}
		}
	};

	objects.forEach(function (object) {
		var time = clock_of(object);

		if (first === undefined)
			first = time;
		last = time === undefined ? last : time;
		if (Object.prototype.hasOwnProperty.call(take, object.type))
			take[object.type](object);
	});
	run.timed = first !== undefined;
	run.seconds = run.timed && run.exits.length ? last - first : undefined;
	return run;
}

/* ---- values ---- */

function is_aggregate(value) {
	return value !== null && typeof value === "object";
}

/* The entries of a `map`, or the value of a `global` as the one entry without a key. */
function entries_of(object) {
	return object.type === "map" ? object.entries || [] : [{ key: [], value: object.value }];
}

function frame_name(frame) {
	return frame["code.function.name"] || frame.text || "?";
}

function part_text(part) {
	return is_aggregate(part) ? (part.stack || []).map(frame_name).join(" < ") : String(part);
}

function key_text(key) {
	return key.map(part_text).join(", ");
}

function key_id(key) {
	return JSON.stringify(key);
}

/* The number that VALUE is ranked and drawn by. */
function weight_of(value, measure) {
	if (!is_aggregate(value))
		return Number(value) || 0;
	return Number(value[measure || "count"]) || 0;
}

function buckets_of(value) {
	return is_aggregate(value) && value.histogram ? value.histogram.buckets || [] : [];
}

function has_stacks(object) {
	return entries_of(object).some(function (entry) {
		return entry.key.some(is_aggregate);
	});
}

/* By the id of its key: the entry's value. */
function by_key(object) {
	var values = Object.create(null);

	if (object)
		entries_of(object).forEach(function (entry) { values[key_id(entry.key)] = entry.value; });
	return values;
}

/* ---- the course of time ---- */

var LINES = 6; /* of an array, the largest entries */

/* The measures of the values of OBJECT: { title, of(value, previous, seconds) }. */
function measures_of(object) {
	function change(name) {
		return function (value, before, dx) {
			return (weight_of(value, name) - (before === undefined ? 0 : weight_of(before, name))) / dx;
		};
	}
	var per = " per interval unit";

	if (object.value_type === "aggregate")
		return [
			{ title: "count", of: function (value) { return weight_of(value, "count"); } },
			{ title: "count" + per, of: change("count"), changes: true },
			{ title: "average of the interval", changes: true, of: function (value, before, dx) {
				var count = change("count")(value, before, dx);

				return count ? change("sum")(value, before, dx) / count : undefined;
			} }
		];
	return [
		{ title: "value", of: function (value) { return weight_of(value); } },
		{ title: "change" + per, of: change(), changes: true }
	];
}

/* Lines of a `global` or `map`: [{ label, points: [[x, y]] }]. */
function lines_of(history, measure) {
	var last = history[history.length - 1].object;
	var largest = entries_of(last).slice().sort(function (a, b) {
		return weight_of(b.value) - weight_of(a.value);
	}).slice(0, LINES);
	var tables = history.map(function (at) { return by_key(at.object); });

	return largest.map(function (entry) {
		var id = key_id(entry.key), points = [];

		history.forEach(function (at, i) {
			var dx = i ? at.x - history[i - 1].x : at.x, y;

			if (tables[i][id] === undefined || (measure.changes && !(dx > 0)))
				return;
			y = measure.of(tables[i][id], i ? tables[i - 1][id] : undefined, dx);
			if (y !== undefined)
				points.push([at.x, y]);
		});
		return { label: entry.key.length ? key_text(entry.key) : last.name, points: points };
	}).filter(function (line) { return line.points.length; });
}

/* The cells of a heat map: what each snapshot added to each bucket. */
function heat_of(history, id) {
	var cells = [], before = Object.create(null), xs = [];

	history.forEach(function (at) {
		var value = by_key(at.object)[id], now = Object.create(null);

		buckets_of(value).forEach(function (bucket) {
			var count = Number(bucket.count), added;

			now[bucket.low] = count;
			/* An array that the script emptied begins again. */
			added = count - (before[bucket.low] || 0);
			added = added < 0 ? count : added;
			if (added)
				cells.push({ column: xs.length, x: at.x, low: bucket.low, high: bucket.high, count: added });
		});
		before = now;
		xs.push(at.x);
	});
	return { cells: cells, xs: xs };
}

/* ---- stacks ---- */

function new_node(name, module) {
	return { name: name, module: module, total: [0, 0], self: [0, 0], children: Object.create(null) };
}

function add_stack(root, frames, weight, side) {
	var node = root;

	node.total[side] += weight;
	frames.forEach(function (frame) {
		node = node.children[frame.name] = node.children[frame.name] || new_node(frame.name, frame.module);
		node.total[side] += weight;
	});
	node.self[side] += weight;
}

/* The outermost frame first; keys that are no stacks stand before the frames. */
function path_of(key) {
	var labels = [], frames = [];

	key.forEach(function (part) {
		if (!is_aggregate(part))
			labels.push({ name: String(part), module: "" });
		else
			frames = (part.stack || []).slice().reverse().map(function (frame) {
				return { name: frame_name(frame), module: frame.module || "" };
			}).concat(frames);
	});
	return labels.concat(frames);
}

/* The tree of one array of one run, or of two. */
function tree_of(objects, measure) {
	var root = new_node("all", "");

	objects.forEach(function (object, side) {
		if (object)
			entries_of(object).forEach(function (entry) {
				add_stack(root, path_of(entry.key), Math.max(0, weight_of(entry.value, measure)), side);
			});
	});
	return root;
}

/* By function: { name, module, self, total }, where a recursive call counts once. */
function functions_of(root) {
	var all = Object.create(null);

	function visit(node, above) {
		var row = all[node.name] = all[node.name] || { name: node.name, module: node.module, self: [0, 0], total: [0, 0] };
		var nested = above[node.name], inside;

		[0, 1].forEach(function (side) {
			row.self[side] += node.self[side];
			row.total[side] += nested ? 0 : node.total[side];
		});
		inside = Object.create(above);
		inside[node.name] = true;
		Object.keys(node.children).forEach(function (name) { visit(node.children[name], inside); });
	}
	Object.keys(root.children).forEach(function (name) { visit(root.children[name], Object.create(null)); });
	return Object.keys(all).map(function (name) { return all[name]; });
}
