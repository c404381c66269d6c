// SPDX-License-Identifier: MIT
// A canvas that draws each picture and says so; asks for pictures while it ticks, and for words of the pixel under the
// pointer. Zoomed by the wheel and moved by dragging where `zooms` is set.

const STYLE = `
.mtlpy-screen { display: inline-block; position: relative; max-width: 100%; outline-offset: 2px; }
.mtlpy-screen-window { overflow: hidden; max-width: 100%; }
.mtlpy-screen canvas { display: block; width: 100%; image-rendering: pixelated; transform-origin: 0 0; }
.mtlpy-screen-words { font: 12px/1.5 var(--jp-code-font-family, monospace); white-space: pre-wrap; min-height: 1.5em;
  color: var(--jp-content-font-color1, inherit); }
`;

function say(model, message) {
  try {
    model.send(message);
  } catch {
    // The kernel has gone; the last picture stays.
  }
}

const MOST_ON_THEIR_WAY = 2; // pictures asked for and not drawn: one is made while the one before it travels

// Three bytes of a pixel as the four that a canvas has.
function spread(data, image) {
  const isView = ArrayBuffer.isView(data);
  const given = isView ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
  const pixels = image.data;
  for (let from = 0, to = 0; from < given.length; from += 3, to += 4) {
    pixels[to] = given[from];
    pixels[to + 1] = given[from + 1];
    pixels[to + 2] = given[from + 2];
    pixels[to + 3] = 255;
  }
}

export default () => {
  const views = new Set();
  const page = Math.random().toString(36).slice(2); // Python may speak with several: each has its own number of views
  const pointer = { place: null, pressed: false, isNew: false };
  let latest = null; // the newest picture, decoded: {number, width, height, words, source}
  let drawn = null; // what Python is told of the last one that was drawn

  // ---- pictures ----

  let arrived = 0; // how many have
  let painted = 0; // of those, how many have been drawn or left out for a later one
  let decoding = Promise.resolve();
  let isPainting = false;

  let image = new ImageData(1, 1); // one for all: only the newest picture is drawn

  async function decoded(message, data) {
    if (!data) return null;
    if (!message.pixels) return createImageBitmap(new Blob([data], { type: "image/png" }));
    const [width, height] = message.pixels;
    if (image.width !== width || image.height !== height) image = new ImageData(width, height);
    spread(data, image);
    return image;
  }

  function arrive(model, message, data) {
    const place = ++arrived;
    asked = Math.max(asked - 1, 0);
    decoding = decoding.then(async () => {
      if (place < arrived) return; // a later one is behind it
      try {
        const source = await decoded(message, data);
        latest?.source?.close?.();
        latest = { ...message, source, place };
      } catch (error) {
        console.error(error); // the next picture is drawn all the same
        latest = { ...message, source: null, place };
      }
      paintSoon(model);
    });
  }

  function paintSoon(model) {
    if (isPainting) return;
    isPainting = true;
    requestAnimationFrame(function paintLatest() {
      isPainting = false;
      for (const view of views) view.paint(latest);
      painted = latest.place;
      drawn = { number: latest.number, at: performance.now() };
      if (model.get("ticking")) tick(model);
      else tellDrawn(model);
    });
  }

  function takeDrawn() {
    if (!drawn) return null;
    const told = { number: drawn.number, ago: performance.now() - drawn.at };
    drawn = null;
    return told;
  }

  function tellDrawn(model) {
    const told = takeDrawn();
    if (told) say(model, { kind: "drawn", drawn: told });
  }

  // ---- one clock for all views ----

  let asked = 0; // pictures that have not come
  let tickedAt = 0;
  let timer = null;

  // The next picture is asked for when it is due and not too many are on their way. A hidden page asks for none.
  function tick(model) {
    if (timer !== null || !model.get("ticking") || views.size === 0) return;
    if (asked + arrived - painted >= MOST_ON_THEIR_WAY) return;
    const due = tickedAt + 1000 / model.get("rate");
    const wait = due - performance.now();
    const ask = () => {
      timer = null;
      if (!model.get("ticking") || views.size === 0) return;
      tickedAt = Math.max(due, performance.now() - 100);
      asked += 1;
      const place = pointer.isNew ? pointer.place : null; // else that of another page, which may have moved since
      pointer.isNew = false;
      say(model, { kind: "tick", page, place, pressed: pointer.pressed, drawn: takeDrawn() });
      tick(model);
    };
    if (document.visibilityState === "hidden") timer = requestAnimationFrame(ask);
    else if (wait > 1) timer = setTimeout(ask, wait);
    else ask();
  }

  function count(model, number = views.size) {
    say(model, { kind: "views", page, views: number });
  }

  return {
    initialize({ model }) {
      const leave = () => count(model, 0);
      const comeBack = () => count(model);
      const listen = () => {
        asked = 0;
        tellDrawn(model);
        tick(model);
      };
      const hear = (message, buffers) => {
        if (message.kind === "picture") arrive(model, message, buffers?.[0]);
        if (message.kind === "passed" && message.page === page) {
          asked = Math.max(asked - 1, 0);
          tick(model);
        }
      };
      model.on("change:ticking", listen);
      model.on("msg:custom", hear);
      window.addEventListener("pagehide", leave);
      window.addEventListener("pageshow", comeBack);
      return () => {
        model.off("change:ticking", listen);
        model.off("msg:custom", hear);
        window.removeEventListener("pagehide", leave);
        window.removeEventListener("pageshow", comeBack);
        latest?.source?.close?.();
      };
    },

    render({ model, el }) {
      const style = document.createElement("style");
      style.textContent = STYLE;
      const area = document.createElement("div");
      area.className = "mtlpy-screen";
      area.tabIndex = 0;
      const frame = document.createElement("div");
      frame.className = "mtlpy-screen-window";
      const canvas = document.createElement("canvas");
      const context = canvas.getContext("2d", { alpha: false });
      canvas.setAttribute("role", "img");
      const words = document.createElement("div");
      words.className = "mtlpy-screen-words";
      words.setAttribute("aria-live", "polite");
      frame.append(canvas);
      area.append(frame, words);
      el.append(style, area);

      let scale = 1;
      let left = 0;
      let top = 0;

      let shown = { number: 0, width: 0, height: 0, words: "" }; // the picture on this canvas

      function lay() {
        canvas.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
      }
      function tell() {
        words.textContent = shown.words.split("\n").slice(1).join("\n");
      }
      function paint(picture) {
        const { source, width, height } = picture;
        if (source) {
          if (canvas.width !== source.width || canvas.height !== source.height) {
            canvas.width = source.width;
            canvas.height = source.height;
          }
          if (source instanceof ImageData) context.putImageData(source, 0, 0);
          else context.drawImage(source, 0, 0);
        }
        const before = shown;
        shown = picture;
        if (width !== before.width || height !== before.height) {
          frame.style.width = `${width}px`;
          frame.style.aspectRatio = width && height ? `${width} / ${height}` : "";
        }
        if (picture.words !== before.words) {
          canvas.setAttribute("aria-label", picture.words.split("\n")[0]);
          if (!held) tell();
        }
        canvas.dataset.number = picture.number;
        if (held) ask(...pointed); // what is under a pointer that rests has changed, too
      }

      // ---- the pointer ----

      const name = Math.random().toString(36).slice(2); // other views ask, too
      let held = false; // whether the words are of the pixel under the pointer
      let pointed = null; // that pixel's place
      let isAsking = false;
      let next = null;

      function ask(x, y) {
        if (!model.get("answers")) return;
        pointed = [x, y];
        if (isAsking) {
          next = [x, y];
          return;
        }
        isAsking = true;
        held = true;
        say(model, { kind: "ask", x, y, by: name });
      }
      function hear(message) {
        if (message.kind !== "answer" || message.by !== name) return;
        isAsking = false;
        if (held) words.textContent = message.words;
        if (next) {
          const [x, y] = next;
          next = null;
          ask(x, y);
        }
      }
      function at(event) {
        const box = canvas.getBoundingClientRect();
        return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
      }

      function point(place, pressed) {
        Object.assign(pointer, { place, pressed, isNew: true });
      }

      let dragged = null;
      frame.addEventListener("pointermove", (event) => {
        const [x, y] = at(event);
        if (dragged) {
          left = dragged.left + event.clientX - dragged.x;
          top = dragged.top + event.clientY - dragged.y;
          lay();
          return;
        }
        point([x, y], pointer.pressed);
        if (x >= 0 && y >= 0 && x < 1 && y < 1) ask(x, y);
      });
      frame.addEventListener("pointerdown", (event) => {
        point(at(event), true);
        if (model.get("zooms")) dragged = { x: event.clientX, y: event.clientY, left, top };
        frame.setPointerCapture(event.pointerId);
      });
      for (const end of ["pointerup", "pointercancel"]) {
        frame.addEventListener(end, () => {
          point(pointer.place, false);
          dragged = null;
        });
      }
      frame.addEventListener("pointerleave", () => {
        held = false;
        next = null;
        tell();
      });

      // ---- zoom ----

      function zoom(factor, x, y) {
        const larger = Math.min(Math.max(scale * factor, 1), 64);
        const kept = larger / scale;
        [scale, left, top] = [larger, x - (x - left) * kept, y - (y - top) * kept];
        if (scale === 1) [left, top] = [0, 0];
        lay();
      }
      frame.addEventListener(
        "wheel",
        (event) => {
          // Without the key the page scrolls, as everywhere.
          if (!model.get("zooms") || !(event.ctrlKey || event.metaKey || event.shiftKey)) return;
          event.preventDefault();
          const box = frame.getBoundingClientRect();
          const turned = event.deltaY || event.deltaX;
          zoom(turned < 0 ? 1.25 : 0.8, event.clientX - box.left, event.clientY - box.top);
        },
        { passive: false },
      );
      frame.addEventListener("dblclick", () => zoom(1 / 64, 0, 0));
      // At the window, since a front end hears keys at the document, before what is in it does.
      function key(event) {
        if (event.composedPath()[0] !== area || !model.get("zooms")) return;
        const middle = [frame.clientWidth / 2, frame.clientHeight / 2];
        const step = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] }[event.key];
        if (event.key === "+" || event.key === "=") zoom(1.25, ...middle);
        else if (event.key === "-") zoom(0.8, ...middle);
        else if (event.key === "0") zoom(1 / 64, 0, 0);
        else if (step && scale > 1) {
          [left, top] = [left + step[0], top + step[1]];
          lay();
        } else return;
        event.preventDefault();
        event.stopImmediatePropagation();
      }
      window.addEventListener("keydown", key, true);

      model.on("msg:custom", hear);
      const view = { paint };
      views.add(view);
      count(model);
      if (views.size > 1 && latest) {
        paint(latest);
      } else {
        asked = 0;
        say(model, { kind: "look" });
      }
      tick(model);
      return () => {
        views.delete(view);
        count(model);
        window.removeEventListener("keydown", key, true);
        model.off("msg:custom", hear);
      };
    },
  };
};
