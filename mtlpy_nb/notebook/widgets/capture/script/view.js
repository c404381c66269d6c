// SPDX-License-Identifier: MIT
// The capture view: the list of commands, the one that is chosen, and a pixel's history.

import { Details } from "./details.js";
import { History } from "./history.js";
import { CommandList } from "./list.js";
import { Line, make, Talk, Wishes } from "./talk.js";

const SETTLED = 200; // milliseconds without a step, after which Python is told which command is chosen

class CaptureView {
  constructor(model, element) {
    this.model = model;
    this.root = make("div", "metal-capture");
    this.root.setAttribute("data-lm-suppress-shortcuts", "true"); // keys pressed here are not JupyterLab's
    element.append(this.root);
    this.talk = new Talk(model, (waits) => this.wait(waits));
    this.commands = new Line(this.talk);
    const lines = { wishes: new Wishes(this.talk), values: new Line(this.talk), source: new Line(this.talk) };
    this.list = new CommandList((number) => this.step(number));
    this.history = new History(new Line(this.talk), (number) => this.go(number));
    this.details = new Details(lines, (question, name) => this.history.begin(question, name));
    this.layOut();
    this.listen = {
      "change:selected": () => this.go(model.get("selected")),
      "change:captured": () => this.open(),
      "change:is_recording": () => this.buttons(),
      "change:problem": () => this.buttons(),
    };
    for (const [event, heard] of Object.entries(this.listen)) model.on(event, heard);
    // A front end hears keys at the document, before what is in it does; at the window they are heard before that.
    this.hearKey = (event) => {
      const target = event.composedPath()[0];
      if (!this.root.contains(target)) return;
      target.heardKey?.(event);
      if (event.defaultPrevented) event.stopImmediatePropagation();
    };
    window.addEventListener("keydown", this.hearKey, true);
    this.root.metalCapture = this; // for who looks at the page from outside
    this.buttons();
    this.open();
  }

  close() {
    for (const [event, heard] of Object.entries(this.listen)) this.model.off(event, heard);
    window.removeEventListener("keydown", this.hearKey, true);
    clearTimeout(this.settle);
    this.talk.close();
    try {
      this.model.send({ ask: "forget" });
    } catch {
      // The kernel has gone.
    }
    this.list.close();
    this.details.close();
    this.hiding?.remove();
  }

  layOut() {
    this.bar = make("div", "mc-bar-top");
    this.title = make("div", "mc-summary", "...");
    this.record = this.button("\u25cf Record", "record");
    this.stop = this.button("\u25a0 Stop", "stop");
    this.waits = make("div", "mc-waits", "waiting for the kernel");
    this.waits.hidden = true;
    this.problem = make("div", "mc-error mc-problem");
    this.problem.setAttribute("role", "alert");
    this.bar.append(this.record, this.stop, this.title, this.waits);
    const main = make("div", "mc-main");
    const right = make("div", "mc-right");
    right.append(this.details.element, this.history.element);
    main.append(this.list.element, right);
    this.main = main;
    this.root.append(this.bar, this.problem, main);
  }

  button(text, ask) {
    const made = make("button", `mc-button mc-${ask}`, text);
    made.addEventListener("click", () => this.talk.send({ ask }, (answer) => this.complain(answer.error)));
    return made;
  }

  buttons() {
    const { model } = this;
    this.record.hidden = this.stop.hidden = !model.get("can_record");
    this.record.disabled = model.get("is_recording");
    this.stop.disabled = !model.get("is_recording");
    this.root.classList.toggle("mc-recording", model.get("is_recording"));
    this.complain(model.get("problem"));
  }

  complain(text) {
    this.problem.textContent = text ?? "";
    this.problem.hidden = !text;
  }

  wait(waits) {
    this.waits.hidden = !waits;
  }

  // ---- a capture ----

  open() {
    this.history.clear();
    if (!this.model.get("captured")) {
      this.hideStatic();
      this.title.textContent = this.model.get("can_record") ? "Press Record, run cells, press Stop." : "";
      this.main.hidden = true;
      return;
    }
    this.talk.send({ ask: "list" }, (answer) => {
      if (answer.error) {
        this.complain(answer.error);
        return;
      }
      this.hideStatic();
      this.title.textContent = answer.title;
      this.complain(answer.failed.join("\n") || this.model.get("problem"));
      this.main.hidden = false;
      this.list.setRows(answer.rows);
      const chosen = this.model.get("selected");
      const commands = this.list.commands();
      if (commands.length === 0) {
        this.main.hidden = true;
        return;
      }
      const number = commands.some((row) => row.number === chosen) ? chosen : commands[0].number;
      this.list.select(number);
      this.step(number);
    });
  }

  // What is kept for where no kernel runs says the same, so it goes while this view lives.
  hideStatic() {
    this.hiding ??= this.root.appendChild(make("style"));
    this.hiding.textContent = this.model.get("hiding");
  }

  go(number) {
    if (number === this.list.selected) return;
    this.list.select(number);
    this.step(number);
  }

  step(number) {
    this.history.mark(number);
    this.commands.ask({ ask: "command", number }, (answer) => {
      if (answer.error) this.complain(answer.error);
      else this.details.show(answer);
    });
    clearTimeout(this.settle);
    this.settle = setTimeout(() => {
      if (this.model.get("selected") === number) return;
      this.model.set("selected", number);
      this.model.save_changes();
    }, SETTLED);
  }
}

function render({ model, el }) {
  const view = new CaptureView(model, el);
  return () => view.close();
}

export default { render };
