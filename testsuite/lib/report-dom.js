/* SPDX-License-Identifier: GPL-2.0-or-later */
/* As much of a browser as the page of `ktap report` needs, for duktape: run before the page's programs, whose data is PAGE_RUNS,
 * [{ name, text }]. PAGE_DUMP(element) is the element's text as lines, PAGE_FIND(element, tag) all elements of a kind. */
"use strict";

function Node(tag) {
	this.tag = tag;
	this.attributes = {};
	this.children = [];
	this.listeners = {};
	this.style = {};
	this.clientWidth = 800;
	this.hidden = false;
}

Object.defineProperty(Node.prototype, "firstChild", { get: function () { return this.children[0] || null; } });
Object.defineProperty(Node.prototype, "innerHTML", { set: function () { throw new Error("texts are never parsed as HTML"); } });
Object.defineProperty(Node.prototype, "textContent", {
	get: function () { return this.text !== undefined ? this.text : this.children.map(function (c) { return c.textContent; }).join(""); },
	set: function (text) { this.children = [document.createTextNode(text)]; }
});
Node.prototype.setAttribute = function (name, value) { this.attributes[name] = value; };
Node.prototype.getAttribute = function (name) { return this.attributes[name]; };
Node.prototype.appendChild = function (child) { this.children.push(child); return child; };
Node.prototype.removeChild = function (child) { this.children.splice(this.children.indexOf(child), 1); };
Node.prototype.addEventListener = function (type, listener) { (this.listeners[type] = this.listeners[type] || []).push(listener); };
Node.prototype.focus = function () { document.activeElement = this; };
Node.prototype.getBoundingClientRect = function () { return { left: 0, top: 0 }; };

var by_id = { report: new Node("main"), contents: new Node("nav") };
var document = {
	activeElement: null,
	createElement: function (tag) { return new Node(tag); },
	createElementNS: function (space, tag) { return new Node(tag); },
	createTextNode: function (text) { var node = new Node("#text"); node.text = String(text); return node; },
	getElementById: function (id) { return by_id[id]; },
	querySelectorAll: function () {
		return PAGE_RUNS.map(function (run) {
			return { textContent: run.text, getAttribute: function () { return run.name; } };
		});
	}
};
var window = { addEventListener: function () { } };

function PAGE_FIND(element, tag) {
	return element.children.reduce(function (found, child) {
		return found.concat(child.tag === tag ? [child] : [], PAGE_FIND(child, tag));
	}, []);
}

/* An event of ELEMENT, with the members of EVENT. */
function PAGE_SEND(element, type, event) {
	event.preventDefault = function () { };
	(element.listeners[type] || []).forEach(function (listener) { listener(event); });
}

/* A line for each section, row and figure: cells are separated by "|". */
function PAGE_DUMP(element, lines) {
	if (element.hidden)
		return lines;
	if (element.tag === "tr")
		lines.push(element.children.map(function (cell) { return cell.textContent; }).join("|"));
	else if (element.children.length === 0 || element.children.every(function (c) { return c.tag === "#text" || c.tag === "button"; }))
		lines.push(element.tag + ": " + element.textContent);
	else
		element.children.forEach(function (child) { PAGE_DUMP(child, lines); });
	return lines;
}
