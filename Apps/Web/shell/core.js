// The portable core: one event in, one screen and its effects out.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export async function loadCore(url) {
  let exports;
  const bytes = (at, count) => new Uint8Array(exports.memory.buffer, at, count);
  const host = { random: (at, count) => crypto.getRandomValues(bytes(at, count)) };
  const { instance } = await WebAssembly.instantiateStreaming(fetch(url), { host });
  exports = instance.exports;

  // Bytes that belong to the event go in first, as they are.
  return function handle(event, attached = []) {
    for (const piece of attached) {
      bytes(exports.core_input(piece.length), piece.length).set(piece);
      exports.core_attach(piece.length);
    }
    const text = JSON.stringify(event);
    const room = text.length * 3;
    const { written } = encoder.encodeInto(text, bytes(exports.core_input(room), room));
    const count = exports.core_handle(written);
    return JSON.parse(decoder.decode(bytes(exports.core_output(), count)));
  };
}
