// SPDX-License-Identifier: MIT
// Before, after and the difference of one thing, beside each other: all three show the same part of it, and one cursor.

import { make } from "./talk.js";

const NAMES = ["before", "after", "difference"];
const TALLEST = 320;
const SHORTEST = 22;
const CLOSEST = 4; // pixels of the image across a picture
const ACCENT = "#ff8c1a";

export class Pictures {
  // `actions`: ask(view, side) for pictures of a part; hover(x, y) and choose(x, y) with a pixel.
  constructor(actions, size, bounds) {
    this.actions = actions;
    this.size = size;
    this.bounds = bounds;
    this.view = [0, 0, ...size];
    this.cursor = null;
    this.bitmaps = [null, null, null];
    this.element = make("div", "mc-pictures");
    this.figures = NAMES.map((name, i) => this.figure(name, i));
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.element);
  }

  close() {
    this.observer.disconnect();
    for (const bitmap of this.bitmaps) bitmap?.close();
  }

  figure(name, i) {
    const figure = make("figure", "mc-figure");
    const words = make("figcaption", "", name);
    const canvas = make("canvas", "mc-canvas");
    const none = make("div", "mc-none");
    canvas.hidden = true; // until there is something on it
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `${name}; arrow keys move over pixels, Enter shows a pixel's history`);
    canvas.dataset.side = name;
    canvas.addEventListener("pointermove", (event) => this.move(event, canvas));
    canvas.addEventListener("pointerdown", (event) => this.press(event, canvas));
    canvas.addEventListener("pointerup", (event) => this.release(event, canvas));
    canvas.addEventListener("wheel", (event) => this.wheel(event, canvas), { passive: false });
    canvas.heardKey = (event) => this.key(event); // by the view
    figure.append(words, canvas, none);
    this.element.append(figure);
    return { figure, canvas, none, i };
  }

  // ---- what is shown ----

  async show(blobs, view, reasons) {
    const bitmaps = await Promise.all(blobs.map((blob) => (blob ? createImageBitmap(blob) : null)));
    for (const bitmap of this.bitmaps) bitmap?.close();
    this.bitmaps = bitmaps;
    this.drawn = view;
    this.figures.forEach(({ canvas, none }, i) => {
      canvas.hidden = bitmaps[i] === null;
      none.hidden = !canvas.hidden;
      none.textContent = reasons[i] ?? "";
    });
    this.draw();
  }

  resize() {
    const width = Math.max((this.element.clientWidth - 24) / 3, 60);
    if (Math.abs(width - (this.room ?? 0)) < 1) return;
    this.room = width;
    this.draw();
    clearTimeout(this.later);
    this.later = setTimeout(() => this.ask(), 50);
  }

  // Width and height of a picture on the page; a thin image is drawn thicker than it is, to be seen.
  extent() {
    const [, , across, down] = this.view;
    const room = this.room ?? 200;
    const factor = Math.min(room / across, TALLEST / down);
    return [Math.max(across * factor, SHORTEST), Math.max(down * factor, SHORTEST)].map(Math.round);
  }

  ask() {
    const side = Math.ceil(Math.max(...this.extent()) * (window.devicePixelRatio || 1));
    this.actions.ask(this.view, side);
  }

  draw() {
    const [width, height] = this.extent();
    const density = window.devicePixelRatio || 1;
    for (const { canvas, i } of this.figures) {
      const bitmap = this.bitmaps[i];
      if (!bitmap) continue;
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
      canvas.width = Math.round(width * density);
      canvas.height = Math.round(height * density);
      const context = canvas.getContext("2d");
      const [x, y, across, down] = this.view;
      const [left, top, drawnAcross, drawnDown] = this.drawn;
      const fx = bitmap.width / drawnAcross;
      const fy = bitmap.height / drawnDown;
      context.imageSmoothingEnabled = bitmap.width > canvas.width;
      context.drawImage(bitmap, (x - left) * fx, (y - top) * fy, across * fx, down * fy, 0, 0, canvas.width, canvas.height);
      if (i > 0 && this.bounds) this.mark(context, this.bounds, density, [4, 3]);
      if (this.cursor) this.mark(context, [...this.cursor, 1, 1], density, []);
    }
  }

  mark(context, [left, top, width, height], density, dashes) {
    const [x, y, across, down] = this.view;
    const { width: w, height: h } = context.canvas;
    const gap = 2 * density; // around what is marked, which stays to be seen
    const box = [((left - x) / across) * w - gap, ((top - y) / down) * h - gap];
    box.push((width / across) * w + 2 * gap, (height / down) * h + 2 * gap);
    context.lineWidth = 3 * density;
    context.strokeStyle = "rgba(0, 0, 0, 0.6)";
    context.setLineDash([]);
    context.strokeRect(...box);
    context.lineWidth = 1.5 * density;
    context.strokeStyle = ACCENT;
    context.setLineDash(dashes.map((n) => n * density));
    context.strokeRect(...box);
  }

  // ---- the cursor ----

  pixel(event, canvas) {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const [x, y, across, down] = this.view;
    const clamp = (value, most) => Math.min(Math.max(Math.floor(value), 0), most - 1);
    return [
      x + clamp(((event.clientX - left) / width) * across, across),
      y + clamp(((event.clientY - top) / height) * down, down),
    ];
  }

  move(event, canvas) {
    if (this.grip) {
      const [x, y] = this.pixel(event, canvas);
      if (x === this.grip.x && y === this.grip.y) return;
      const [left, top, across, down] = this.view;
      this.grip.moved = true;
      if (across < this.size[0] || down < this.size[1]) {
        this.look([left + this.grip.x - x, top + this.grip.y - y, across, down]);
        return;
      }
    }
    this.place(...this.pixel(event, canvas));
  }

  press(event, canvas) {
    const [x, y] = this.pixel(event, canvas);
    this.grip = { x, y, moved: false };
    canvas.setPointerCapture(event.pointerId);
  }

  release(event, canvas) {
    const chosen = this.grip && !this.grip.moved;
    this.grip = null;
    if (!chosen) return;
    this.place(...this.pixel(event, canvas));
    this.actions.choose(...this.cursor);
  }

  place(x, y) {
    if (this.cursor && this.cursor[0] === x && this.cursor[1] === y) return;
    this.cursor = [x, y];
    this.draw();
    this.actions.hover(x, y);
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const [x, y] = this.cursor ?? [-1, 0];
    if (steps[event.key]) {
      const far = event.shiftKey ? 10 : 1;
      const next = [x + far * steps[event.key][0], y + far * steps[event.key][1]];
      const [column, row] = next.map((n, axis) => Math.min(Math.max(n, 0), this.size[axis] - 1));
      this.follow(column, row);
      this.place(column, row);
    } else if (event.key === "Enter" && this.cursor) this.actions.choose(...this.cursor);
    else if (event.key === "+" || event.key === "=") this.zoom(0.5);
    else if (event.key === "-") this.zoom(2);
    else if (event.key === "0") this.fit();
    else if (event.key === "c") this.toChanges();
    else return;
    event.preventDefault();
  }

  // Keeps the cursor in what is seen.
  follow(x, y) {
    const [left, top, across, down] = this.view;
    if (x >= left && x < left + across && y >= top && y < top + down) return;
    this.look([x - Math.floor(across / 2), y - Math.floor(down / 2), across, down]);
  }

  // ---- the part that is seen ----

  // The wheel scrolls the page unless a picture has been clicked, so that nobody gets stuck in one.
  wheel(event, canvas) {
    if (document.activeElement !== canvas) return;
    event.preventDefault();
    this.zoom(event.deltaY < 0 ? 0.5 : 2, this.pixel(event, canvas));
  }

  zoom(factor, around = null) {
    const [left, top, across, down] = this.view;
    const [x, y] = around ?? this.cursor ?? [left + across / 2, top + down / 2];
    const next = [across, down].map((n, axis) =>
      Math.min(Math.max(Math.round(n * factor), Math.min(CLOSEST, this.size[axis])), this.size[axis]));
    const share = [(x - left + 0.5) / across, (y - top + 0.5) / down];
    this.look([Math.round(x - share[0] * next[0]), Math.round(y - share[1] * next[1]), ...next]);
  }

  fit() {
    this.look([0, 0, ...this.size]);
  }

  toChanges() {
    if (!this.bounds) return;
    const [x, y, width, height] = this.bounds;
    const margin = Math.max(1, Math.round(Math.max(width, height) / 8));
    this.look([x - margin, y - margin, width + 2 * margin, height + 2 * margin]);
  }

  look([x, y, width, height]) {
    const across = Math.min(width, this.size[0]);
    const down = Math.min(height, this.size[1]);
    const left = Math.min(Math.max(x, 0), this.size[0] - across);
    const top = Math.min(Math.max(y, 0), this.size[1] - down);
    this.view = [left, top, across, down];
    this.draw();
    this.ask();
  }
}
