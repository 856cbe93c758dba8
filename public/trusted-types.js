// The only policy of the page: style text may pass (React sets Mantine's style tags by innerHTML), markup never.
if (window.trustedTypes && !window.trustedTypes.defaultPolicy) {
  window.trustedTypes.createPolicy('default', {
    createHTML: (text) => (text.includes('<') ? null : text),
    // Workers and lazy chunks come from this server only.
    createScriptURL: (url) => (new URL(url, location.href).origin === location.origin ? url : null),
  })
}
