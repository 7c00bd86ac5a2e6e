// Loads the core (WebAssembly). It takes one event, and returns one screen and the effects.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export async function loadCore(url) {
  let exports;
  const bytes = (at, count) => new Uint8Array(exports.memory.buffer, at, count);
  const host = { random: (at, count) => crypto.getRandomValues(bytes(at, count)) };
  const { instance } = await WebAssembly.instantiateStreaming(fetch(url), { host });
  exports = instance.exports;

  // `attached` are bytes that belong to the event and are not written into its JSON.
  return function handle(event, attached = []) {
    for (const piece of attached) {
      bytes(exports.core_input(piece.length), piece.length).set(piece);
      exports.core_attach(piece.length);
    }
    const text = JSON.stringify(event);
    // UTF-8 has at most 3 bytes for each UTF-16 code unit.
    const capacity = text.length * 3;
    const { written } = encoder.encodeInto(text, bytes(exports.core_input(capacity), capacity));
    const count = exports.core_handle(written);
    return JSON.parse(decoder.decode(bytes(exports.core_output(), count)));
  };
}
