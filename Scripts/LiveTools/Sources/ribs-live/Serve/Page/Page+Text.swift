// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Page {
  /// Elements and texts. Text is only ever inserted as text nodes.
  static let text = #"""
    const byID = (id) => document.getElementById(id);

    function element(kind, className, ...content) {
      const made = document.createElement(kind);
      if (className) made.className = className;
      made.append(...content.filter((part) => part !== undefined));
      return made;
    }

    /// A text of the program with control characters and direction marks escaped.
    const printable = (text) => String(text).replace(
      /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
      (character) => "\\u{" + character.codePointAt(0).toString(16).toUpperCase() + "}");

    const number = (value) => value.toLocaleString("en");
    const counted = (count, noun) => number(count) + " " + noun + (count === 1 ? "" : "s");

    /// A duration in milliseconds as its two largest units.
    function age(milliseconds) {
      const seconds = Math.floor(milliseconds / 1000);
      if (seconds < 1) return Math.max(0, Math.floor(milliseconds)) + " ms";
      const [minutes, hours, days] = [60, 3600, 86400].map((unit) => Math.floor(seconds / unit));
      if (days) return days + " d " + hours % 24 + " h";
      if (hours) return hours + " h " + minutes % 60 + " m";
      if (minutes) return minutes + " m " + seconds % 60 + " s";
      return seconds + " s";
    }

    /// An age that changes once a second.
    const wholeAge = (milliseconds) => milliseconds < 1000 ? "0 s" : age(milliseconds);

    /// A time since the launch of a tree, to the millisecond: 1:02:03.456.
    function clock(milliseconds) {
      const whole = Math.max(0, Math.floor(milliseconds));
      const pad = (value, width) => String(value).padStart(width, "0");
      const [hours, minutes, seconds] = [Math.floor(whole / 3600000), Math.floor(whole / 60000) % 60, Math.floor(whole / 1000) % 60];
      const start = hours ? hours + ":" + pad(minutes, 2) : String(minutes);
      return start + ":" + pad(seconds, 2) + "." + pad(whole % 1000, 3);
    }

    /// Appends a text, with the first match of a search highlighted.
    function appendMarked(parent, text, query) {
      const start = query ? text.toLowerCase().indexOf(query) : -1;
      if (start < 0) return parent.append(text);
      parent.append(text.slice(0, start), element("mark", "", text.slice(start, start + query.length)),
        text.slice(start + query.length));
    }

    /// The placeholder of an empty view: a title and advice.
    function empty(title, ...paragraphs) {
      const made = element("div", "empty", element("h3", "", title));
      for (const text of paragraphs) made.append(text instanceof Node ? text : element("p", "", text));
      return made;
    }
    """#
}
