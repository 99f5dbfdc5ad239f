/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines over time, histograms and heat maps. Each has a line of text that says the values under the pointer or the cursor keys. */

var COLORS = 6; /* classes c0 to c5 of the style sheet */
var HEATS = 5;  /* classes h0 to h4 */

/* An element whose DRAW(box, width) runs again when the width of the window changes. */
function drawing(draw) {
	var box = html("div", { "class": "drawing" });

	box.redraw = function () {
		if (box.clientWidth)
			draw(empty(box), box.clientWidth);
	};
	return box;
}

/* Round numbers from LOW to HIGH, about N of them, at least LEAST apart. */
function ticks(low, high, n, least) {
	var step = Math.max(least || 0, Math.pow(10, Math.floor(Math.log((high - low) / n || 1) / Math.LN10))), list = [], at;

	[2, 5, 10].some(function (factor) {
		if ((high - low) / step <= n)
			return true;
		step *= factor === 5 ? 2.5 : 2;
		return false;
	});
	for (at = Math.ceil(low / step) * step; at <= high + step / 1e6 && list.length < 50; at += step)
		list.push(Math.abs(at) < step / 1e6 ? 0 : at);
	return list;
}

/* Calls MOVE(dx, dy) for the arrow keys of ELEMENT. OTHERS: functions by the name of the key. */
function on_keys(element, move, others) {
	var arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

	element.addEventListener("keydown", function (event) {
		if (arrows[event.key])
			move(arrows[event.key][0], arrows[event.key][1]);
		else if (others && others[event.key])
			others[event.key]();
		else
			return;
		event.preventDefault();
	});
}

function readout() {
	return html("p", { "class": "readout", "aria-live": "polite" }, "\u00a0");
}

/* ---- lines ---- */

function extent(values) {
	return values.reduce(function (range, value) {
		return [Math.min(range[0], value), Math.max(range[1], value)];
	}, [Infinity, -Infinity]);
}

/* LINES as lines_of() returns them, each with a `color`, and `dashed` if it belongs to the first of two runs. UNIT of x: "s" or "snapshot". */
function line_chart(lines, unit, label) {
	var points = [].concat.apply([], lines.map(function (line) { return line.points; }));
	var xs = extent(points.map(function (p) { return p[0]; })), ys = extent(points.map(function (p) { return p[1]; }));
	var says = readout(), cursor = -1, columns, box;
	var left = 56, right = 12, top = 10, height = 200, bottom = 24;

	ys = [Math.min(0, ys[0]), Math.max(ys[1], ys[0] < 0 ? 0 : ys[1] || 1)];
	columns = points.map(function (p) { return p[0]; }).sort(function (a, b) { return a - b; })
		.filter(function (x, i, all) { return !i || x !== all[i - 1]; });

	function axes(x, y, width) {
		return ticks(ys[0], ys[1], 4).map(function (value) {
			return svg("g", { "class": "tick" }, [
				svg("line", { x1: left, x2: width - right, y1: y(value), y2: y(value) }),
				svg("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, short(value))
			]);
		}).concat(ticks(xs[0], xs[1], Math.max(2, width / 120), unit === "s" ? 0 : 1).map(function (value) {
			return svg("text", { x: x(value), y: height - 6, "text-anchor": "middle" }, short(value) + (unit === "s" ? " s" : ""));
		}));
	}

	function say() {
		var at = columns[cursor];

		says.textContent = (unit === "s" ? short(at) + " s" : "snapshot " + at) + ": " + lines.map(function (line) {
			var hit = line.points.filter(function (p) { return p[0] === at; })[0];

			return hit ? line.label + " " + exact(Number(hit[1].toPrecision(6))) : "";
		}).filter(Boolean).join(", ");
	}

	box = drawing(function (box, width) {
		function x(value) { return left + (xs[1] > xs[0] ? (value - xs[0]) / (xs[1] - xs[0]) : 0.5) * (width - left - right); }
		function y(value) { return top + (ys[1] - value) / (ys[1] - ys[0] || 1) * (height - top - bottom); }
		var marker = svg("line", { "class": "cursor", y1: top, y2: height - bottom, x1: -9, x2: -9 });
		var picture = svg("svg", { width: width, height: height, tabindex: 0, role: "img", "aria-label": label + ": arrow keys read the values" });

		function go(i) {
			cursor = Math.max(0, Math.min(columns.length - 1, i));
			set(marker, { x1: x(columns[cursor]), x2: x(columns[cursor]) });
			say();
		}
		add(picture, axes(x, y, width).concat(lines.map(function (line) {
			return svg("g", { "class": "line c" + line.color % COLORS + (line.dashed ? " dashed" : "") }, line.points.length < 2 ?
				line.points.map(function (p) { return svg("circle", { cx: x(p[0]), cy: y(p[1]), r: 3 }); }) :
				svg("polyline", { points: line.points.map(function (p) { return x(p[0]).toFixed(1) + "," + y(p[1]).toFixed(1); }).join(" ") }));
		}), marker));
		picture.addEventListener("mousemove", function (event) {
			var at = event.clientX - picture.getBoundingClientRect().left, best = 0;

			columns.forEach(function (value, i) {
				if (Math.abs(x(value) - at) < Math.abs(x(columns[best]) - at))
					best = i;
			});
			go(best);
		});
		on_keys(picture, function (dx) { go(cursor + dx); }, { Home: function () { go(0); }, End: function () { go(columns.length - 1); } });
		add(box, picture);
	});
	return { box: box, parts: [legend(lines), box, says] };
}

function legend(lines) {
	return html("ul", { "class": "legend" }, lines.map(function (line) {
		return html("li", {}, [svg("svg", { width: 22, height: 10, "aria-hidden": true },
			svg("g", { "class": "line c" + line.color % COLORS + (line.dashed ? " dashed" : "") }, svg("line", { x1: 0, x2: 22, y1: 5, y2: 5 }))), " " + line.label]);
	}));
}

/* ---- histograms ---- */

/* The buckets of one aggregate or of two, with null where empty ones lie between. */
function bucket_rows(values) {
	var rows = Object.create(null), list = [], all;

	values.forEach(function (value, side) {
		buckets_of(value).forEach(function (bucket) {
			var row = rows[bucket.low] = rows[bucket.low] || { low: bucket.low, high: bucket.high, counts: [0, 0] };

			row.counts[side] += Number(bucket.count);
		});
	});
	all = Object.keys(rows).map(function (low) { return rows[low]; }).sort(function (a, b) { return Number(a.low) - Number(b.low); });
	all.forEach(function (row, i) {
		if (i && Number(row.low) > Number(all[i - 1].high) + 1)
			list.push(null);
		list.push(row);
	});
	return list;
}

/* A row for each bucket. VALUES: the aggregate, or that before and that after; NAMES of the runs. */
function histogram(values, names) {
	var rows = bucket_rows(values), most = 1;

	rows.forEach(function (row) {
		most = row ? Math.max(most, row.counts[0], row.counts[1]) : most;
	});

	function bar(row, side) {
		var element = html("div", { "class": "bar c" + side });

		element.style.width = 100 * row.counts[side] / most + "%";
		return element;
	}
	return html("table", { "class": "histogram" }, [
		html("thead", {}, html("tr", {}, [html("th", { scope: "col" }, "from \u2013 to")].concat(names.map(function (name) {
			return html("th", { scope: "col", "class": "number" }, name);
		}), html("th", { "class": "bars" }, "")))),
		html("tbody", {}, rows.map(function (row) {
			if (!row)
				return html("tr", {}, html("td", { colspan: 2 + names.length, "class": "gap" }, "\u22ee"));
			return html("tr", {}, [html("th", { scope: "row" }, row.low === row.high ? exact(row.low) : exact(row.low) + " \u2013 " + exact(row.high))]
				.concat(names.map(function (name, side) { return html("td", { "class": "number" }, exact(row.counts[side])); }),
					html("td", { "class": "bars" }, names.map(function (name, side) { return bar(row, side); }))));
		}))
	]);
}

/* ---- heat maps ---- */

function heat_map(heat, unit, label) {
	var says = readout(), lows = [], by_place = Object.create(null), most = 1, at = [0, 0], box;
	var left = 90, row_height = 18, bottom = 24;

	heat.cells.forEach(function (cell) {
		if (lows.indexOf(cell.low) < 0)
			lows.push(cell.low);
		most = Math.max(most, cell.count);
	});
	lows.sort(function (a, b) { return Number(a) - Number(b); });
	heat.cells.forEach(function (cell) { by_place[cell.column + "," + lows.indexOf(cell.low)] = cell; });

	function say() {
		var cell = by_place[at.join(",")], x = heat.xs[at[0]];

		says.textContent = (unit === "s" ? short(x) + " s" : "snapshot " + x) + ", " + (cell ? exact(cell.low) + " \u2013 " + exact(cell.high) + ": " +
			exact(cell.count) : "from " + exact(lows[at[1]]) + ": 0");
	}

	box = drawing(function (box, width) {
		var height = lows.length * row_height + bottom, cell_width = (width - left - 4) / heat.xs.length;
		var picture = svg("svg", { width: width, height: height, tabindex: 0, role: "img", "aria-label": label + ": arrow keys read the cells" });
		var marker = svg("rect", { "class": "cursor", width: cell_width, height: row_height, x: -999 });

		function y(row) { return (lows.length - 1 - row) * row_height; }

		function go(column, row) {
			at = [Math.max(0, Math.min(heat.xs.length - 1, column)), Math.max(0, Math.min(lows.length - 1, row))];
			set(marker, { x: left + at[0] * cell_width, y: y(at[1]) });
			say();
		}
		add(picture, lows.map(function (low, row) {
			return svg("text", { x: left - 6, y: y(row) + 13, "text-anchor": "end" }, short(Number(low)));
		}).concat(heat.cells.map(function (cell) {
			var shade = Math.min(HEATS - 1, Math.floor(HEATS * Math.log(1 + cell.count) / Math.log(2 + most)));

			return svg("rect", { "class": "h" + shade, x: left + cell.column * cell_width, y: y(lows.indexOf(cell.low)),
				width: Math.max(1, cell_width - 1), height: row_height - 1 });
		}), heat.xs.map(function (x, i) {
			var every = Math.ceil(heat.xs.length * 60 / width);

			return i % every ? "" : svg("text", { x: left + (i + 0.5) * cell_width, y: height - 6, "text-anchor": "middle" }, short(x) + (unit === "s" ? " s" : ""));
		}).filter(Boolean), marker));
		picture.addEventListener("mousemove", function (event) {
			var place = picture.getBoundingClientRect();

			go(Math.floor((event.clientX - place.left - left) / cell_width), lows.length - 1 - Math.floor((event.clientY - place.top) / row_height));
		});
		on_keys(picture, function (dx, dy) { go(at[0] + dx, at[1] + dy); });
		add(box, picture);
	});
	return { box: box, parts: [box, says] };
}
