// SPDX-License-Identifier: MIT
// The list of commands. Only the rows that are seen are on the page, so that it may be as long as it likes.

import { make } from "./talk.js";

const ROW = 40;
const HEADING = 24;
const PAGE = 10;

export class CommandList {
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.rows = [];
    this.shown = [];
    this.tops = [0];
    this.selected = null;
    this.name = `metal-${Math.random().toString(36).slice(2)}`;

    this.element = make("div", "mc-commands");
    this.filter = make("input", "mc-filter");
    this.filter.type = "search";
    this.filter.placeholder = "Filter";
    this.filter.setAttribute("aria-label", "Filter commands");
    this.filter.addEventListener("input", () => this.arrange());
    this.box = make("div", "mc-list");
    this.box.tabIndex = 0;
    this.box.setAttribute("role", "listbox");
    this.box.setAttribute("aria-label", "Commands");
    this.inner = make("div", "mc-list-inner");
    this.inner.setAttribute("role", "presentation");
    this.box.append(this.inner);
    this.element.append(this.filter, this.box);

    this.box.addEventListener("scroll", () => this.draw());
    this.box.heardKey = (event) => this.key(event); // by the view
    this.box.addEventListener("click", (event) => {
      const row = event.target.closest("[data-number]");
      if (row) this.choose(Number(row.dataset.number));
    });
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.box);
  }

  close() {
    this.observer.disconnect();
  }

  setRows(rows) {
    this.rows = rows;
    this.longest = Math.max(...rows.map((row) => row.ms ?? 0), 1e-9);
    this.arrange();
  }

  arrange() {
    const wanted = this.filter.value.trim().toLowerCase();
    this.shown = [];
    let place = "";
    let heading = null; // one that is not shown yet
    for (const row of this.rows) {
      if (row.heading !== undefined) {
        heading = row;
        place = row.heading;
        continue;
      }
      const text = `${row.number} ${row.title} ${row.writes ?? ""} ${row.error ?? ""} ${place}`;
      if (wanted && !text.toLowerCase().includes(wanted)) continue;
      if (heading) this.shown.push(heading);
      heading = null;
      this.shown.push(row);
    }
    this.tops = [0];
    for (const row of this.shown) this.tops.push(this.tops.at(-1) + (row.heading === undefined ? ROW : HEADING));
    this.inner.style.height = `${this.tops.at(-1)}px`;
    this.draw();
  }

  commands() {
    return this.shown.filter((row) => row.heading === undefined);
  }

  choose(number) {
    if (number === this.selected) return;
    this.select(number);
    this.onChoose(number);
  }

  select(number) {
    this.selected = number;
    const place = this.shown.findIndex((row) => row.number === number);
    if (place >= 0) {
      const first = place > 0 && this.shown[place - 1].heading !== undefined ? place - 1 : place;
      const { scrollTop, clientHeight } = this.box;
      if (this.tops[first] < scrollTop) this.box.scrollTop = this.tops[first];
      else if (this.tops[place + 1] > scrollTop + clientHeight) this.box.scrollTop = this.tops[place + 1] - clientHeight;
    }
    this.draw();
  }

  key(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE, Home: -Infinity, End: Infinity };
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const commands = this.commands();
    if (commands.length === 0) return;
    const place = commands.findIndex((row) => row.number === this.selected);
    const next = Math.min(Math.max(place + step, 0), commands.length - 1);
    this.choose(commands[next].number);
  }

  draw() {
    const top = this.box.scrollTop - 200;
    const bottom = this.box.scrollTop + this.box.clientHeight + 200;
    let low = 0;
    let high = this.shown.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.tops[middle + 1] < top) low = middle + 1;
      else high = middle;
    }
    const elements = [];
    for (let i = low; i < this.shown.length && this.tops[i] < bottom; ++i) elements.push(this.row(i));
    this.inner.replaceChildren(...elements);
    const selected = elements.some((element) => element.getAttribute("aria-selected") === "true");
    if (selected) this.box.setAttribute("aria-activedescendant", `${this.name}-${this.selected}`);
    else this.box.removeAttribute("aria-activedescendant");
  }

  row(i) {
    const row = this.shown[i];
    if (row.heading !== undefined) {
      const heading = make("div", "mc-heading", row.heading);
      heading.setAttribute("role", "presentation");
      heading.title = row.heading;
      heading.style.top = `${this.tops[i]}px`;
      return heading;
    }
    const element = make("div", "mc-row");
    element.style.top = `${this.tops[i]}px`;
    element.dataset.number = row.number;
    element.id = `${this.name}-${row.number}`;
    element.setAttribute("role", "option");
    element.setAttribute("aria-selected", String(row.number === this.selected));
    const first = make("div", "mc-row-first");
    first.append(make("span", "mc-number", row.number), make("span", "mc-title", row.title));
    const second = make("div", "mc-row-second");
    const words = [row.writes && `changes ${row.writes}`, row.threadgroup && `threadgroup ${row.threadgroup}`];
    second.append(make("span", row.error ? "mc-does mc-error" : "mc-does", row.error || words.filter(Boolean).join(", ")));
    second.append(make("span", "mc-ms", row.ms === undefined ? "" : `${row.ms.toFixed(3)} ms`));
    const bar = make("div", "mc-bar");
    bar.style.width = `${(100 * (row.ms ?? 0)) / this.longest}%`;
    element.title = [row.title, row.error].filter(Boolean).join("\n");
    element.append(first, second, bar);
    return element;
  }
}
