/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Flame and icicle graphs of the tree that tree_of() makes. Of two runs the widths are those after; colors say what grew or shrank. */

var FRAME_HEIGHT = 18;
var CHARACTER = 7.3;  /* pixels of one, of the font in frames */
var NARROWEST = 1;    /* pixels: narrower frames are not drawn */
var FLAME_COLORS = 8; /* classes f0 to f7 */

function hash(text) {
	var sum = 0, i;

	for (i = 0; i < text.length; i++)
		sum = (sum * 31 + text.charCodeAt(i)) % 65521;
	return sum;
}

/* -3 to 3: how much less or more of the whole NODE has in the second run. */
function shift_of(node, root) {
	var before = root.total[0] ? node.total[0] / root.total[0] : 0, after = root.total[1] ? node.total[1] / root.total[1] : 0;
	var change = after - before;

	if (Math.abs(change) < 0.001)
		return 0;
	return (change > 0 ? 1 : -1) * (Math.abs(change) < 0.01 ? 1 : Math.abs(change) < 0.05 ? 2 : 3);
}

function children_of(node) {
	return Object.keys(node.children).sort().map(function (name) { return node.children[name]; });
}

/* STATE: root, side (of total), two (runs), zoom, selected, search, down (icicle), says (an element), redraw(). */
function describe(state, node) {
	var root = state.root, side = state.side, text;

	text = node.name + (node.module ? " [" + node.module + "]" : "") + ": " + exact(node.total[side]) + ", " +
		percent(node.total[side], root.total[side]) + " of all, itself " + exact(node.self[side]);
	if (state.two)
		text += "; before " + exact(node.total[0]) + ", " + percent(node.total[0], root.total[0]);
	return text;
}

function matches(state, node) {
	return state.search && node.name.toLowerCase().indexOf(state.search) >= 0;
}

/* The weight below frames that match, each stack once. */
function matched_weight(state, node) {
	if (matches(state, node))
		return node.total[state.side];
	return children_of(node).reduce(function (sum, child) { return sum + matched_weight(state, child); }, 0);
}

/* The nodes to draw, each with its place: those on the way to the zoomed node span the width. */
function place_frames(state, width) {
	var placed = [], side = state.side;

	function visit(node, x, w, depth, parent) {
		var scale = node.total[side] ? w / node.total[side] : 0, at = x;

		if (w < NARROWEST)
			return;
		placed.push({ node: node, x: x, width: w, depth: depth, parent: parent });
		children_of(node).forEach(function (child) {
			visit(child, at, child.total[side] * scale, depth + 1, node);
			at += child.total[side] * scale;
		});
	}
	state.zoom.slice(0, -1).forEach(function (node, depth) {
		placed.push({ node: node, x: 0, width: width, depth: depth, parent: state.zoom[depth - 1], above: true });
	});
	visit(state.zoom[state.zoom.length - 1], 0, width, state.zoom.length - 1, state.zoom[state.zoom.length - 2]);
	return placed;
}

function frame_class(state, place) {
	var color = state.two ? "d" + (3 + shift_of(place.node, state.root)) : "f" + hash(place.node.name) % FLAME_COLORS;

	return "frame " + (place.node === state.root ? "all" : color) + (place.above ? " above" : "") +
		(matches(state, place.node) ? " match" : "") + (place.node === state.selected ? " selected" : "");
}

function frame_element(state, place, y) {
	var room = Math.floor((place.width - 6) / CHARACTER), name = place.node.name;

	return svg("g", { "class": frame_class(state, place) }, [
		svg("title", {}, describe(state, place.node)),
		svg("rect", { x: place.x.toFixed(2), y: y, width: Math.max(0.5, place.width - 0.5).toFixed(2), height: FRAME_HEIGHT - 1, rx: 2 })
	].concat(room < 3 ? [] : svg("text", { x: (place.x + 4).toFixed(2), y: y + 13 }, name.length > room ? name.slice(0, room - 1) + "\u2026" : name)));
}

/* The path from the root to NODE. */
function path_to(placed, node) {
	var found = placed.filter(function (place) { return place.node === node; })[0];

	return found ? (found.parent ? path_to(placed, found.parent) : []).concat(node) : [];
}

/* The frame that an arrow key leads to: the parent, the widest child, or the next frame of the same depth. */
function step(state, placed, dx, dy) {
	var here = placed.filter(function (place) { return place.node === state.selected; })[0] || placed[0], row, i;

	if (dy) {
		if ((dy > 0) === !!state.down)
			return here.parent || here.node;
		row = placed.filter(function (place) { return place.parent === here.node; });
		return row.reduce(function (best, place) { return !best || place.width > best.width ? place : best; }, null) || here;
	}
	row = placed.filter(function (place) { return place.depth === here.depth; }).sort(function (a, b) { return a.x - b.x; });
	i = row.indexOf(here) + dx;
	return row[Math.max(0, Math.min(row.length - 1, i))];
}

function flame_graph(state) {
	state.zoom = [state.root];
	state.selected = state.root;
	state.box = drawing(function (box, width) {
		var placed = place_frames(state, width);
		var deepest = placed.reduce(function (most, place) { return Math.max(most, place.depth); }, 0);
		var picture = svg("svg", { width: width, height: (deepest + 1) * FRAME_HEIGHT, tabindex: 0, role: "img",
			"aria-label": "stacks: arrow keys walk, Enter zooms, Escape shows all" });

		function redraw() {
			var focused = document.activeElement === picture;

			state.box.redraw();
			if (focused)
				state.box.firstChild.focus();
		}

		function select(node) {
			state.selected = node;
			state.says.textContent = describe(state, node);
			redraw();
		}

		function zoom(node) {
			state.zoom = path_to(placed, node);
			select(node);
		}
		placed.forEach(function (place) {
			var element = frame_element(state, place, (state.down ? place.depth : deepest - place.depth) * FRAME_HEIGHT);

			element.addEventListener("click", function () { zoom(place.node); });
			element.addEventListener("mouseover", function () { state.says.textContent = describe(state, place.node); });
			add(picture, element);
		});
		on_keys(picture, function (dx, dy) {
			var to = step(state, placed, dx, dy);

			select(to.node || to);
		}, { Enter: function () { zoom(state.selected); }, Escape: function () { zoom(state.root); } });
		add(box, picture);
	});
	state.redraw = state.box.redraw;
	return state.box;
}
