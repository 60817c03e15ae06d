// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension Page {
  /// The requests to `ribs serve`. Paths are relative, because the token is part of the address.
  static let server = #"""
    class Server {
      async get(path, parameters = {}, signal) {
        const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== undefined));
        let answer;
        try {
          answer = await fetch(path + "?" + query, { cache: "no-store", signal });
        } catch {
          throw new Unreachable("ribs serve does not answer. Start it again, and open the address that it prints.");
        }
        const body = await answer.json().catch(() => ({}));
        if (!answer.ok) throw new Error(body.error ?? "The answer has the status " + answer.status + ".");
        return body;
      }

      processes() { return this.get("processes"); }
      trees(process, version) { return this.get("trees", { process, version }); }
      /// The part of a recording around a time in nanoseconds; its end without one.
      recording(tree, at) { return this.get("recording", { tree, at: at === undefined ? undefined : Math.round(at) }); }
      snapshot(process, tree, signal) { return this.get("snapshot", { process, tree }, signal); }

      /// Follows the events of a tree, or of all trees of a process.
      ///
      /// `take` gets the answers of the inspector in order, `lose` is called when the connection is interrupted.
      follow(process, tree, take, lose) {
        const query = new URLSearchParams(tree === undefined ? { process } : { process, tree });
        const source = new EventSource("events?" + query);
        source.onmessage = (message) => take(JSON.parse(message.data));
        source.onerror = () => lose(source.readyState === EventSource.CLOSED);
        return source;
      }
    }

    /// A recorded tree that is in the page itself.
    class EmbeddedRecording {
      constructor(text) { this.contents = JSON.parse(text); }

      async processes() { return { processes: [this.contents.process] }; }
      async trees(process, version) {
        const { trees } = this.contents;
        return version === trees.version ? { version, added: [], ended: [] } : trees;
      }
      async recording() { return this.contents.part; }
    }

    /// `ribs serve` has ended.
    class Unreachable extends Error {}
    """#
}
