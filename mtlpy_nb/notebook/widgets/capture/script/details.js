// SPDX-License-Identifier: MIT
// One command: what it is, and of each thing that is bound its pictures. They are asked for when they come into sight.

import { Pictures } from "./pictures.js";
import { make } from "./talk.js";

export class Details {
  // `lines`: wishes (pictures), values, source; `onChoose(question, name)` with a pixel for its history.
  constructor(lines, onChoose) {
    this.lines = lines;
    this.onChoose = onChoose;
    this.element = make("div", "mc-details");
    this.element.tabIndex = -1;
    this.things = [];
    this.sight = new IntersectionObserver((entries) => this.see(entries), { root: this.element, rootMargin: "100px" });
  }

  close() {
    this.clear();
    this.sight.disconnect();
  }

  clear() {
    this.lines.wishes.clear();
    this.lines.values.forget();
    this.sight.disconnect();
    for (const thing of this.things) thing.close();
    this.things = [];
  }

  show(command) {
    this.clear();
    this.number = command.number;
    const title = make("h4", "mc-command", `${command.number}: ${command.title}`);
    const lines = command.lines.map((line) => make("div", "mc-line", line));
    const parts = [title, ...lines];
    if (command.error) parts.push(make("div", "mc-error", command.error));
    if (command.has_source) parts.push(this.source());
    const order = command.things.map((thing, item) => ({ thing, item }));
    order.sort((a, b) => rank(a.thing) - rank(b.thing));
    for (const { thing, item } of order) {
      const shown = new Thing(this, thing, item);
      this.things.push(shown);
      parts.push(shown.element);
    }
    if (order.length === 0) parts.push(make("div", "mc-line", "Nothing is bound."));
    this.element.replaceChildren(...parts);
    this.element.scrollTop = 0;
    for (const thing of this.things) if (thing.levels) this.sight.observe(thing.element);
  }

  see(entries) {
    for (const entry of entries) {
      const thing = this.things.find((one) => one.element === entry.target);
      if (!thing || !entry.isIntersecting) continue;
      this.sight.unobserve(thing.element);
      thing.begin();
    }
  }

  source() {
    const box = make("details", "mc-source");
    const body = make("pre");
    box.append(make("summary", "", "Source"), body);
    box.addEventListener("toggle", () => {
      if (!box.open || body.dataset.asked) return;
      body.dataset.asked = "yes";
      this.lines.source.ask({ ask: "source", number: this.number }, (answer) => {
        if (answer.error) body.textContent = answer.error;
        else body.innerHTML = answer.html; // made by Python, which escapes what the source says
        body.scrollTop = Math.max(answer.line - 2, 0) * parseFloat(getComputedStyle(body).lineHeight || 16);
      });
    });
    return box;
  }
}

// What changed comes first, then what may be looked at, then the rest.
function rank(thing) {
  if (thing.is_changed) return 0;
  return thing.levels && thing.value === undefined ? 1 : 2;
}

class Thing {
  constructor(details, thing, item) {
    this.details = details;
    this.thing = thing;
    this.item = item;
    this.levels = thing.value === undefined ? thing.levels : undefined;
    this.level = thing.level ?? 0;
    this.slice = null;
    this.element = make("section", "mc-thing");
    this.element.dataset.name = thing.name;
    const head = make("div", "mc-thing-head");
    const access = { read: "read", write: "written", read_write: "read and written" }[thing.access];
    head.append(make("b", "", thing.name), make("span", "mc-what", [access, thing.text].filter(Boolean).join(", ")));
    if (thing.value !== undefined) head.append(make("code", "mc-one-value", `= ${thing.value}`));
    if (thing.is_changed) head.append(make("span", "mc-changed", "changed"));
    this.element.append(head);
    if (!this.levels) return;
    this.tools = make("div", "mc-tools");
    this.words = make("div", "mc-words", "...");
    this.place = make("div", "mc-place");
    this.reading = make("div", "mc-reading", "\u00a0");
    this.reading.setAttribute("aria-live", "polite");
    this.element.append(this.tools, this.words, this.place, this.reading);
    this.choices();
  }

  close() {
    this.pictures?.close();
    this.closed = true;
  }

  question(ask) {
    const asked = { ask, number: this.details.number, item: this.item, level: this.level };
    return this.slice === null ? asked : { ...asked, slice: this.slice };
  }

  choices() {
    const { levels, slices } = this.thing;
    if (levels > 1) this.tools.append(chooser("level", levels, this.level, (n) => this.change(n, null)));
    if (slices > 1) this.tools.append(chooser("slice", slices, 0, (n) => this.change(this.level, n)));
    const button = (text, title, act) => {
      const made = make("button", "mc-button", text);
      made.title = title;
      made.addEventListener("click", () => this.pictures && act(this.pictures));
      this.tools.append(made);
      return made;
    };
    button("+", "Enlarge (+)", (pictures) => pictures.zoom(0.5));
    button("\u2212", "Reduce (-)", (pictures) => pictures.zoom(2));
    button("All", "Show all of it (0)", (pictures) => pictures.fit());
    this.near = button("Changes", "Show the part that changed (c)", (pictures) => pictures.toChanges());
    this.near.disabled = true;
  }

  change(level, slice) {
    this.level = level;
    this.slice = slice;
    this.pictures?.close();
    this.pictures = null;
    this.begin();
  }

  begin() {
    this.ask(null, 320);
  }

  ask(view, side) {
    const question = { ...this.question("pictures"), side };
    this.details.lines.wishes.want(this, view ? { ...question, view } : question, (...answer) => this.show(...answer));
  }

  show(answer, buffers) {
    if (this.closed) return;
    if (answer.error) {
      this.words.textContent = answer.error;
      return;
    }
    if (!this.pictures) {
      const actions = {
        ask: (view, side) => this.ask(view, side),
        hover: (x, y) => this.read(x, y),
        choose: (x, y) => this.details.onChoose({ ...this.question("history"), x, y }, this.thing.name),
      };
      if (this.slice === null && this.thing.slices > 1) {
        this.slice = answer.slice;
        const slices = this.tools.querySelector("[data-of=slice]");
        if (slices) slices.value = answer.slice;
      }
      this.pictures = new Pictures(actions, answer.size, answer.bounds);
      this.place.replaceChildren(this.pictures.element);
      if (answer.changes) this.place.append(table(answer.changes));
      this.near.disabled = !answer.bounds;
    }
    this.words.textContent = [...answer.words, ...answer.notes].join("; ");
    let next = 0;
    const blobs = answer.shown.map((is) => (is ? new Blob([buffers[next++]], { type: "image/png" }) : null));
    const unknown = answer.is_known ? "" : "not known";
    const reasons = ["", answer.is_same ? "the same" : unknown, answer.is_known ? "no difference" : unknown];
    this.pictures.show(blobs, answer.view, reasons);
  }

  read(x, y) {
    this.details.lines.values.ask({ ...this.question("value"), x, y }, (answer) => {
      if (this.closed) return;
      this.reading.classList.toggle("mc-is-changed", Boolean(answer.is_changed));
      if (answer.error) this.reading.textContent = answer.error;
      else if (answer.is_changed) this.reading.textContent = `[${answer.index}]: ${answer.before} \u2192 ${answer.after}`;
      else this.reading.textContent = `[${answer.index}]: ${answer.before}`;
    });
  }
}

function chooser(name, count, chosen, change) {
  const label = make("label", "mc-choice", `${name} `);
  const input = make("input");
  input.type = "number";
  input.min = 0;
  input.max = count - 1;
  input.value = chosen;
  input.dataset.of = name;
  input.addEventListener("change", () => {
    input.value = Math.min(Math.max(Math.round(Number(input.value)), 0), count - 1);
    change(Number(input.value));
  });
  label.append(input, ` of ${count}`);
  return label;
}

function table({ rows, more }) {
  const box = make("div", "mc-values");
  const found = make("table");
  const body = make("tbody");
  for (const [index, before, after] of rows) {
    const row = make("tr");
    row.append(make("th", "", `[${index}]`), make("td", "", before), make("td", "", after === null ? "?" : after));
    if (before !== after) row.className = "mc-is-changed";
    body.append(row);
  }
  const head = make("thead");
  const titles = make("tr");
  titles.append(make("th"), make("th", "", "before"), make("th", "", "after"));
  head.append(titles);
  found.append(head, body);
  box.append(found);
  if (more) box.append(make("div", "mc-line", `and ${more} more`));
  return box;
}
