"""Scripts with which a page measures its own times."""

# Records when the first row appeared in the page, and how long each call of the core took.
WATCH = """
  window.times = { core: [] }
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
    window.times.rows = document.querySelectorAll('#rows li').length
    requestAnimationFrame(() => { window.times.drawn = performance.now() })
  }).observe(document, { childList: true, subtree: true })
"""

# Milliseconds from the core's request for the offline copy to the first row drawn.
OPENING = """() => window.times.drawn
  - performance.getEntriesByName('fieldpass:offline-copy')[0].startTime"""

# Records when storage was first read, and when the first row of a list appeared in the page.
RESUMED = """
  window.times = {}
  const open = indexedDB.open.bind(indexedDB)
  indexedDB.open = (...names) => { window.times.began ??= performance.now(); return open(...names) }
  new MutationObserver(() => {
    if (document.querySelector('.row')) window.times.shown ??= performance.now()
  }).observe(document, { childList: true, subtree: true })
"""

RESUMING = "() => window.times.shown - window.times.began"
