// SPDX-License-Identifier: MIT
// A canvas that draws each picture and says so; asks for pictures while it ticks, and for words of the pixel under the
// pointer. Zoomed by the wheel and moved by dragging where `zooms` is set.

const STYLE = `
.mtlpy-screen { display: inline-block; position: relative; max-width: 100%; outline-offset: 2px; }
.mtlpy-screen-window { overflow: hidden; max-width: 100%; }
.mtlpy-screen canvas { display: block; image-rendering: pixelated; transform-origin: 0 0; }
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

export default () => {
  const views = new Set();
  const pointer = { place: null, pressed: false };
  let tickedAt = 0;
  let waiting = false;
  let answered = true;

  // One clock for all views. A frame is asked for when the last one has come and the one before it is drawn: so Python
  // makes the next while this one is drawn, and no more than that. A hidden page asks for none.
  function tick(model) {
    if (waiting || !answered || !model.get("ticking") || views.size === 0) return;
    waiting = true;
    const due = tickedAt + 1000 / model.get("rate");
    const wait = () => {
      const now = performance.now();
      if (now + 4 < due) {
        requestAnimationFrame(wait);
        return;
      }
      waiting = false;
      if (!model.get("ticking") || views.size === 0) return;
      tickedAt = Math.max(due, now - 100);
      answered = false;
      say(model, { kind: "tick", place: pointer.place, pressed: pointer.pressed });
    };
    requestAnimationFrame(wait);
  }

  function count(model) {
    try {
      model.set("views", views.size);
      model.save_changes();
    } catch {
      // As in `say`.
    }
  }

  async function bitmap(model) {
    const frame = model.get("frame");
    if (!frame || frame.byteLength === 0) return null;
    return createImageBitmap(new Blob([frame], { type: "image/png" }));
  }

  return {
    initialize({ model }) {
      count(model); // a page that was reloaded could not say that it went
      const listen = () => {
        answered = true;
        tick(model);
      };
      model.on("change:ticking", listen);
      return () => model.off("change:ticking", listen);
    },

    render({ model, el }) {
      const view = {};
      views.add(view);
      count(model);
      const style = document.createElement("style");
      style.textContent = STYLE;
      const area = document.createElement("div");
      area.className = "mtlpy-screen";
      area.tabIndex = 0;
      const frame = document.createElement("div");
      frame.className = "mtlpy-screen-window";
      const canvas = document.createElement("canvas");
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

      function lay() {
        const [width, height] = [model.get("width"), model.get("height")];
        frame.style.width = `${width}px`;
        frame.style.aspectRatio = width && height ? `${width} / ${height}` : "";
        canvas.style.width = "100%";
        canvas.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
        canvas.setAttribute("aria-label", model.get("words").split("\n")[0]);
      }

      let drawing = Promise.resolve();
      let undrawn = 0;
      function draw() {
        const number = model.get("number");
        answered = true;
        undrawn += 1;
        if (undrawn === 1) tick(model);
        drawing = drawing.then(async () => {
          if (number !== model.get("number")) {
            undrawn -= 1; // a later one is behind it, which asks for the next
            return;
          }
          try {
            const picture = await bitmap(model);
            if (picture) {
              canvas.width = picture.width;
              canvas.height = picture.height;
              canvas.getContext("2d").drawImage(picture, 0, 0);
              picture.close();
            }
          } catch (error) {
            console.error(error); // the next picture is drawn all the same
          } finally {
            undrawn -= 1;
            lay();
            canvas.dataset.number = number;
            if (!held) words.textContent = model.get("words").split("\n").slice(1).join("\n");
            say(model, { kind: "drawn", number });
            tick(model);
          }
        });
      }

      // ---- the pointer ----

      let held = false; // whether the words are of the pixel under the pointer
      let asked = false;
      let next = null;

      function ask(x, y) {
        if (!model.get("answers")) return;
        if (asked) {
          next = [x, y];
          return;
        }
        asked = true;
        held = true;
        say(model, { kind: "ask", x, y });
      }
      function hear(message) {
        if (message.kind !== "answer") return;
        asked = false;
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

      let dragged = null;
      frame.addEventListener("pointermove", (event) => {
        const [x, y] = at(event);
        if (dragged) {
          left = dragged.left + event.clientX - dragged.x;
          top = dragged.top + event.clientY - dragged.y;
          lay();
          return;
        }
        pointer.place = [x, y];
        if (x >= 0 && y >= 0 && x < 1 && y < 1) ask(x, y);
      });
      frame.addEventListener("pointerdown", (event) => {
        pointer.pressed = true;
        pointer.place = at(event);
        if (model.get("zooms")) dragged = { x: event.clientX, y: event.clientY, left, top };
        frame.setPointerCapture(event.pointerId);
      });
      for (const end of ["pointerup", "pointercancel"]) {
        frame.addEventListener(end, () => {
          pointer.pressed = false;
          dragged = null;
        });
      }
      frame.addEventListener("pointerleave", () => {
        held = false;
        next = null;
        words.textContent = model.get("words").split("\n").slice(1).join("\n");
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

      model.on("change:number", draw);
      model.on("msg:custom", hear);
      draw();
      return () => {
        views.delete(view);
        count(model);
        window.removeEventListener("keydown", key, true);
        model.off("change:number", draw);
        model.off("msg:custom", hear);
      };
    },
  };
};
