import type { Options } from 'rehype-sanitize'

/** The elements and attributes allowed in an answer: none that load, execute, name or style. */
export const SANITIZE_SCHEMA: Options = {
  tagNames:
    'a blockquote br code del details em h1 h2 h3 h4 h5 h6 hr img input ins kbd li ol p pre section span strong sub summary sup table tbody td th thead tr u ul'.split(
      ' ',
    ),
  attributes: {
    a: ['href', 'title'],
    code: [['className', /^language-[\w+#.-]{1,32}$/]],
    // No HTML of an answer becomes an attribute: these are our own.
    details: ['open', 'dataThought'],
    img: ['src', 'alt', 'title'],
    input: [['type', 'checkbox'], 'checked', ['disabled', true]],
    li: [['className', 'task-list-item']],
    ol: ['start'],
    span: ['dataFormula', 'dataDisplay'],
    td: [['align', 'left', 'center', 'right']],
    th: [['align', 'left', 'center', 'right']],
  },
  ancestors: { tbody: ['table'], td: ['table'], th: ['table'], thead: ['table'], tr: ['table'] },
  protocols: { href: ['http', 'https', 'mailto'], src: ['http', 'https'] },
  required: { input: { disabled: true, type: 'checkbox' } },
  strip: ['script'],
}

/** The URL of a link, or null if it is unsafe: only absolute http, https and mailto URLs. */
export function toSafeUrl(href: string | undefined): URL | null {
  if (!href || !/^(?:https?:\/\/|mailto:)/i.test(href)) return null
  return URL.canParse(href) ? new URL(href) : null
}

/** The destination of a link, if its text hides it: a host, or a mail address. */
export function findHiddenAddress(url: URL, words: string): string | null {
  const address = url.protocol === 'mailto:' ? url.pathname : url.host
  const shownAddress = words.trim().toLowerCase()
  const honest =
    shownAddress === address || shownAddress === url.href || shownAddress.startsWith(`${url.protocol}//${address}/`)
  return honest || shownAddress.startsWith(`${address}/`) || shownAddress === `${url.protocol}//${address}`
    ? null
    : address
}
