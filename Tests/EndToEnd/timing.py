"""What a page notes of its own times, for tests and figures."""

# When the copy was asked of storage, when the first row stood in the page, and what each call of
# the core took.
WATCH = """
  window.times = { core: [] }
  const getAllKeys = IDBObjectStore.prototype.getAllKeys
  IDBObjectStore.prototype.getAllKeys = function (...more) {
    window.times.asked ??= performance.now()
    return getAllKeys.apply(this, more)
  }
  const instantiate = WebAssembly.instantiateStreaming
  WebAssembly.instantiateStreaming = async (...more) => {
    const made = await instantiate.apply(WebAssembly, more)
    const exports = { ...made.instance.exports }
    const handle = exports.core_handle
    exports.core_handle = (count) => {
      const began = performance.now()
      const answer = handle(count)
      window.times.core.push(performance.now() - began)
      return answer
    }
    return { module: made.module, instance: { exports } }
  }
  new MutationObserver(() => {
    if (window.times.row || !document.querySelector('#rows li')) return
    window.times.row = performance.now()
    requestAnimationFrame(() => { window.times.drawn = performance.now() })
  }).observe(document, { childList: true, subtree: true })
"""
