/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Elements, numbers and sortable tables. Texts of a run become text nodes and attributes: none is ever parsed as HTML.
 *
 * These files are ECMAScript 5, which the test suite runs with duktape.
 */
"use strict";

var SVG = "http://www.w3.org/2000/svg";
var ROWS_SHOWN = 100; /* of a table, until its button is pressed */

function set(element, attributes) {
	Object.keys(attributes || {}).forEach(function (name) {
		if (attributes[name] !== undefined)
			element.setAttribute(name, String(attributes[name]));
	});
	return element;
}

/* Adds CHILDREN, strings or elements, to PARENT. */
function add(parent, children) {
	[].concat(children === undefined ? [] : children).forEach(function (child) {
		parent.appendChild(typeof child === "object" ? child : document.createTextNode(String(child)));
	});
	return parent;
}

function html(tag, attributes, children) {
	return add(set(document.createElement(tag), attributes), children);
}

function svg(tag, attributes, children) {
	return add(set(document.createElementNS(SVG, tag), attributes), children);
}

function empty(element) {
	while (element.firstChild)
		element.removeChild(element.firstChild);
	return element;
}

/* A labelled <select> of OPTIONS; CHANGED gets the index of the one that is chosen. */
function choice(label, options, changed) {
	var select = html("select", {}, options.map(function (text, i) {
		return html("option", { value: i }, text);
	}));

	select.addEventListener("change", function () { changed(Number(select.value)); });
	return html("label", {}, [label + " ", select]);
}

/* A labelled search field; CHANGED gets its text in lower case. */
function search_field(label, changed) {
	var input = html("input", { type: "search" });

	input.addEventListener("input", function () { changed(input.value.toLowerCase()); });
	return html("label", {}, [label + " ", input]);
}

function button(text, pressed) {
	var element = html("button", { type: "button" }, text);

	element.addEventListener("click", pressed);
	return element;
}

/* ---- numbers ---- */

/* Integers that a double does not hold come as strings. */
function exact(value) {
	var parts = String(value).split(".");

	return parts[0].replace(/\B(?=(\d{3})+$)/g, ",") + (parts[1] ? "." + parts[1] : "");
}

/* At most three significant digits, with a suffix: for axes. */
function short(value) {
	var units = ["", "K", "M", "G", "T", "P", "E"], i = 0;

	while (Math.abs(value) >= 1000 && i < units.length - 1) {
		value /= 1000;
		i++;
	}
	return String(Number(value.toPrecision(3))) + units[i];
}

function percent(part, whole) {
	return whole ? (100 * part / whole).toFixed(1) + " %" : "";
}

function compare(a, b) {
	if (a === b)
		return 0;
	if (a === undefined || b === undefined)
		return a === undefined ? 1 : -1;
	return a < b ? -1 : 1;
}

/* ---- tables ---- */

/* A table of ROWS. COLUMNS: { title, of(row): what it sorts by, text(row): what it shows, numeric }. OPTIONS: sort, the index of the
 * column it begins with; label, which screen readers say. */
function table(columns, rows, options) {
	var state = { by: options.sort === undefined ? -1 : options.sort, down: true, filter: "", all: false };
	var body = html("tbody"), more = button("", function () { state.all = true; fill(); }), headers;

	function text(column, row) {
		var shown = column.text ? column.text(row) : column.of(row);

		return shown === undefined ? "" : column.numeric && !column.text ? exact(shown) : String(shown);
	}

	function selected() {
		var found = rows.filter(function (row) {
			return !state.filter || columns.some(function (column) {
				return text(column, row).toLowerCase().indexOf(state.filter) >= 0;
			});
		});

		if (state.by < 0)
			return found;
		return found.map(function (row, i) {
			var key = columns[state.by].of(row);

			return { row: row, i: i, key: columns[state.by].numeric && key !== undefined ? Number(key) : key };
		}).sort(function (a, b) {
			return (state.down && a.key !== undefined && b.key !== undefined ? -1 : 1) * compare(a.key, b.key) || a.i - b.i;
		}).map(function (item) { return item.row; });
	}

	function fill() {
		var found = selected(), shown = state.all ? found : found.slice(0, ROWS_SHOWN);

		add(empty(body), shown.map(function (row) {
			return html("tr", {}, columns.map(function (column) {
				return html("td", { "class": column.numeric ? "number" : undefined }, text(column, row));
			}));
		}));
		more.hidden = found.length === shown.length;
		more.textContent = "Show all " + exact(found.length) + " rows";
		headers.forEach(function (th, i) {
			th.setAttribute("aria-sort", i !== state.by ? "none" : state.down ? "descending" : "ascending");
		});
	}

	headers = columns.map(function (column, i) {
		return html("th", { scope: "col", "class": column.numeric ? "number" : undefined }, button(column.title, function () {
			state.down = state.by === i ? !state.down : !!column.numeric;
			state.by = i;
			fill();
		}));
	});
	fill();
	return html("div", { "class": "table" }, [
		rows.length > 10 ? search_field("Filter", function (filter) { state.filter = filter; fill(); }) : "",
		html("div", { "class": "scroll", tabindex: 0, role: "region", "aria-label": options.label },
			html("table", {}, [html("thead", {}, html("tr", {}, headers)), body])),
		more
	]);
}
