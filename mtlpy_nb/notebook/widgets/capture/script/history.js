// SPDX-License-Identifier: MIT
// One pixel, or element, through all commands; it stays while one steps through them.

import { make } from "./talk.js";

export class History {
  constructor(line, onStep) {
    this.line = line;
    this.onStep = onStep;
    this.element = make("div", "mc-history");
    this.element.hidden = true;
    this.title = make("div", "mc-history-title");
    this.title.tabIndex = -1;
    const close = make("button", "mc-button", "Close");
    close.addEventListener("click", () => this.clear());
    const head = make("div", "mc-history-head");
    head.append(this.title, close);
    this.body = make("tbody");
    const table = make("table");
    table.append(this.body);
    this.box = make("div", "mc-history-rows");
    this.box.append(table);
    this.element.append(head, this.box);
    this.body.addEventListener("click", (event) => {
      const row = event.target.closest("[data-number]");
      if (row) this.onStep(Number(row.dataset.number));
    });
  }

  clear() {
    this.line.forget();
    this.of = null;
    this.element.hidden = true;
    this.body.replaceChildren();
  }

  begin(question, name) {
    this.line.ask(question, (answer) => {
      this.body.replaceChildren();
      this.element.hidden = false;
      this.of = null;
      if (answer.error) {
        this.title.textContent = `${name}: ${answer.error}`;
        return;
      }
      this.title.textContent = `${answer.name}[${answer.index}] after each command that may have touched it`;
      this.of = answer.id;
      this.last = undefined;
      this.add(answer);
    });
  }

  add(answer) {
    if (answer.of !== this.of) return;
    for (const moment of answer.rows) {
      if (this.last !== undefined && this.last !== moment.before)
        this.body.append(line("", "written by the host", moment.before, "mc-is-changed"));
      this.last = moment.after ?? moment.before;
      const row = line(moment.number, moment.title, moment.after ?? "?", moment.is_changed ? "mc-is-changed" : "");
      row.dataset.number = moment.number;
      this.body.append(row);
    }
    this.mark(this.number);
    if (!answer.is_done) this.line.ask({ ask: "more", of: this.of }, (more) => this.add(more));
    else if (!this.body.firstChild) this.body.append(line("", "no command touched it", "", ""));
  }

  mark(number) {
    this.number = number;
    for (const row of this.body.rows) row.setAttribute("aria-current", String(row.dataset.number === String(number)));
  }
}

function line(number, title, value, className) {
  const row = make("tr", className);
  const button = make(number === "" ? "span" : "button", number === "" ? "" : "mc-link", title);
  const cell = make("td");
  cell.append(button);
  row.append(make("td", "mc-number", number), cell, make("td", "mc-value", value));
  return row;
}
