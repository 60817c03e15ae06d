// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Page {
  /// The slider: looking back, playing, and returning to the present.
  static let timeline = #"""
    class Timeline {
      constructor() {
        this.slider = byID("time");
        this.canvas = byID("activity");
        this.playButton = byID("play");
        this.speed = byID("speed");
        this.isPlaying = false;
        this.slider.addEventListener("input", () => {
          this.isPlaying = false;
          page.lookBack(Number(this.slider.value));
        });
        this.slider.addEventListener("keydown", (event) => {
          const step = { ArrowLeft: -1000, ArrowRight: 1000, PageUp: 10000, PageDown: -10000 }[event.key];
          if (step === undefined) return;
          event.preventDefault();
          this.move(page.time + step);
        });
        this.playButton.addEventListener("click", () => this.toggle());
        byID("live").addEventListener("click", () => page.goLive());
        byID("back").addEventListener("click", () => this.step(-1));
        byID("forward").addEventListener("click", () => this.step(1));
      }

      /// Pauses the present, or plays on from where the slider is.
      toggle() {
        if (!page.history) return;
        if (page.isLive) return page.lookBack(page.history.now());
        // From the beginning, if a recording is at its end.
        if (!this.isPlaying && page.history.bounds && page.time >= page.history.bounds.end) page.setTime(page.history.bounds.start);
        this.isPlaying = !this.isPlaying;
        this.played = performance.now();
        page.draw();
      }

      /// Looks at the time before the last event, or after the next one.
      step(direction) {
        const history = page.history;
        if (!history) return;
        this.isPlaying = false;
        const { events } = history;
        const { from, to, end } = history.bounds ?? { from: history.start };
        const index = page.isLive ? events.length : history.indexAfterSequence(page.sequence);
        // A nanosecond outside of the part of a recording that was read: the page reads the next part.
        if (direction > 0) {
          if (index < events.length) page.lookBack(events[index].time, events[index].sequence);
          else if (to < end) page.lookBack(to + 1e-6);
        } else if (index > 1) {
          page.lookBack(events[index - 2].time, events[index - 2].sequence);
        } else if (index === 1 || from === history.start) {
          page.lookBack(from, 0);
        } else {
          page.lookBack(from - 1e-6);
        }
      }

      move(time) {
        if (!page.history) return;
        if (time >= page.history.now()) page.goLive(); else page.lookBack(Math.max(time, page.history.start));
      }

      /// Advances the time while playing.
      advance() {
        if (!this.isPlaying) return;
        const now = performance.now();
        // The time stands still while the next part of a recording is read. Another request would discard that part.
        if (page.isReadingRecording) { this.played = now; return; }
        const time = page.time + (now - this.played) * Number(this.speed.value) * page.history.rate;
        this.played = now;
        if (time >= page.history.now(now)) page.goLive(); else page.setTime(time);
      }

      draw() {
        const history = page.history;
        const { isLive } = page;
        for (const id of ["back", "forward", "play", "time", "live", "speed"]) byID(id).disabled = !history?.keyframes.length;
        byID("live").classList.toggle("on", isLive);
        byID("live").setAttribute("aria-pressed", isLive);
        const text = isLive || this.isPlaying ? "Pause" : "Play";
        if (this.playButton.textContent !== text) this.playButton.textContent = text;
        if (!history?.keyframes.length) {
          byID("clock").textContent = "";
          return;
        }
        const [start, end] = [history.start, Math.max(history.start + 1, history.now())];
        this.slider.min = start;
        this.slider.max = end;
        this.slider.value = isLive ? end : page.time;
        const clockText = clock(isLive ? end : page.time).slice(0, -2);
        this.slider.setAttribute("aria-valuetext", isLive ? "now" : clockText + ", " + age(end - page.time) + " ago");
        byID("clock").textContent = isLive ? clockText.slice(0, -2) : clockText + " (−" + age(end - page.time) + ")";
        const now = performance.now();
        if (now - (this.drawn ?? 0) > 200 || !isLive) {
          this.drawn = now;
          this.drawActivity(history, start, end);
        }
      }

      /// Draws how much happened when, and the problems.
      drawActivity(history, start, end) {
        const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
        if (!width) return;
        const scale = devicePixelRatio || 1;
        if (this.canvas.width !== Math.round(width * scale)) this.canvas.width = Math.round(width * scale);
        if (this.canvas.height !== Math.round(height * scale)) this.canvas.height = Math.round(height * scale);
        const context = this.canvas.getContext("2d");
        context.setTransform(scale, 0, 0, scale, 0, 0);
        context.clearRect(0, 0, width, height);
        const count = Math.max(1, Math.floor(width / 4));
        const buckets = new Float64Array(count);
        const place = (time) => Math.min(count - 1, Math.max(0, Math.floor((time - start) / (end - start) * count)));
        let most = 0;
        for (const event of history.events) most = Math.max(most, ++buckets[place(event.time)]);
        context.fillStyle = page.color("--bar");
        buckets.forEach((value, index) => {
          // A root, so that few events are visible beside many.
          const size = value ? Math.max(2, Math.sqrt(value / most) * (height - 8)) : 0;
          context.fillRect(index * width / count, height - 2 - size, Math.max(1, width / count - 1), size);
        });
        context.fillStyle = page.color("--bad");
        for (const event of history.problems) context.fillRect((place(event.time) + 0.5) * width / count - 1.5, 2, 3, height - 4);
      }
    }
    """#
}
