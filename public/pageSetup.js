// Sets the colour scheme before the first paint. The key is Mantine's own.
;(() => {
  const kept = localStorage.getItem('mantine-color-scheme-value')
  const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()

// The only policy of the page: style text may pass (React sets Mantine's style tags by innerHTML), markup never.
if (window.trustedTypes && !window.trustedTypes.defaultPolicy) {
  window.trustedTypes.createPolicy('default', {
    createHTML: (text) => (text.includes('<') ? null : text),
    // Workers and lazy chunks come from this server only.
    createScriptURL: (url) => (new URL(url, location.href).origin === location.origin ? url : null),
  })
}

// Zod compiles its checks with `new Function` where it may. Under the page's policy it may not, and asking is a violation.
// It asks when a schema is made, so this stands here: a chunk with schemas may run before any line of the entry.
globalThis.__zod_globalConfig = { jitless: true }
