// SPDX-License-Identifier: MIT
// Questions to Python and their answers. No more than one question of a kind is on its way at a time, so that a slow
// answer never makes a queue: of what was asked meanwhile, only the last is asked then.

export class Talk {
  constructor(model, onWait) {
    this.model = model;
    this.onWait = onWait;
    this.name = Math.random().toString(36).slice(2); // another view of the same model asks for itself
    this.count = 0;
    this.waiting = new Map();
    this.listen = (message, buffers) => this.hear(message, buffers);
    model.on("msg:custom", this.listen);
  }

  close() {
    this.model.off("msg:custom", this.listen);
    clearTimeout(this.timer);
    this.waiting.clear();
  }

  send(question, answered) {
    const id = `${this.name}-${++this.count}`;
    this.waiting.set(id, answered);
    this.model.send({ ...question, id });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.onWait(true), 700);
  }

  hear(message, buffers) {
    const answered = this.waiting.get(message.id);
    if (!answered) return;
    this.waiting.delete(message.id);
    if (this.waiting.size === 0) {
      clearTimeout(this.timer);
      this.onWait(false);
    }
    answered(message, buffers ?? []);
  }
}

// One question at a time; of those asked meanwhile the last.
export class Line {
  constructor(talk) {
    this.talk = talk;
    this.busy = false;
    this.next = null;
  }

  ask(question, answered) {
    if (this.busy) {
      this.next = [question, answered];
      return;
    }
    this.busy = true;
    this.talk.send(question, (message, buffers) => {
      this.busy = false;
      if (this.next) {
        const [later, then] = this.next;
        this.next = null;
        this.ask(later, then);
      } else {
        answered(message, buffers);
      }
    });
  }

  forget() {
    this.next = null;
  }
}

// Many things that each want one answer: one at a time, in the order in which they asked; the last question of each.
export class Wishes {
  constructor(talk) {
    this.talk = talk;
    this.wanted = new Map();
    this.busy = false;
  }

  want(key, question, answered) {
    this.wanted.delete(key);
    this.wanted.set(key, [question, answered]);
    this.next();
  }

  clear() {
    this.wanted.clear();
    this.round = (this.round ?? 0) + 1;
  }

  next() {
    if (this.busy || this.wanted.size === 0) return;
    const [key, [question, answered]] = this.wanted.entries().next().value;
    const round = this.round;
    this.wanted.delete(key);
    this.busy = true;
    this.talk.send(question, (message, buffers) => {
      this.busy = false;
      if (round === this.round && !this.wanted.has(key)) answered(message, buffers);
      this.next();
    });
  }
}

export function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}
