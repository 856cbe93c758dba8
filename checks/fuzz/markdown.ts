import fc from 'fast-check'
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5'
import { createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { openSources } from './sources.ts'
import { demand, target, type Target } from './target.ts'

type Node = DefaultTreeAdapterMap['node']

const ALLOWED = new Set(
  'a b blockquote br button code del details div em h3 h4 h5 h6 hr i input li ol p path pre section span strong summary sup svg table tbody td th thead tr ul mark'.split(
    ' ',
  ),
)
const BAD_NAME = /^on|^style$|^src|^srcdoc$|^action|^formaction|^id$|^name$|xlink|^background$|^ping$/
const piece = fc.oneof(
  fc.constantFrom(
    ...['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '![x](https://evil.example/p.png)', '<!--'],
    ...['[c](javascript:alert(1))', '[c](JaVaScRiPt&colon;alert(1))', '[r]\n\n[r]: data:text/html,x', '<svg onload=x>'],
    ...['```html\n', '```', '~~~', '$$', '\\(', '\\[', '|a|\n|-|\n', '> ', '- ', '1. ', '    ', '# ', '***', '__'],
    ...[
      '<think>',
      '</think>',
      '<details open>',
      '&#106;',
      '[^1]',
      '[^1]: x',
      '[1]',
      '\u202e',
      '\0',
      '\\',
      '\n',
      '\n\n',
    ],
    ...[
      '<a href="//evil">',
      '<style>*{}</style>',
      '<math><mi//xlink:href="data:x">',
      'https://a.example/?q=<b>',
      '~1~2~',
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
)

/** Nothing that a model writes becomes an element or an attribute that runs or loads, live or ended. */
export async function markdown(): Promise<Target> {
  const { load, close } = await openSources()
  const { Markdown } = (await load('/src/ui/Markdown.tsx')) as {
    Markdown: FunctionComponent<{ text: string; live: boolean }>
  }
  return target(
    fc.tuple(fc.array(piece, { minLength: 1, maxLength: 24 }), fc.boolean()),
    ([pieces, live]: [string[], boolean]) => {
      walk(parseFragment(renderToStaticMarkup(createElement(Markdown, { text: pieces.join(''), live }))))
    },
    close,
  )
}

function walk(node: Node): void {
  if ('tagName' in node) {
    demand(ALLOWED.has(node.tagName), `It makes an element ${node.tagName}.`)
    for (const { name, value } of node.attrs) {
      demand(!BAD_NAME.test(name), `It makes an attribute ${name}.`)
      if (name === 'href') demand(/^(?:https?:\/\/[^/]|mailto:)/.test(value), `It links to ${value}.`)
    }
  }
  if ('childNodes' in node) for (const child of node.childNodes) walk(child)
}
