import { parse, type DefaultTreeAdapterTypes } from 'parse5'

type Node = DefaultTreeAdapterTypes.Node

const SILENT = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'math',
  'iframe',
  'object',
  'select',
  'textarea',
  'head',
])
const PARAGRAPHS = new Set([
  'p',
  'div',
  'section',
  'article',
  'main',
  'header',
  'footer',
  'nav',
  'aside',
  'blockquote',
  'pre',
  'ul',
  'ol',
  'dl',
  'table',
  'figure',
  'form',
  'fieldset',
  'address',
  'details',
  'hr',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
])
const LINES = new Set(['br', 'li', 'tr', 'dt', 'dd', 'caption', 'summary', 'figcaption', 'option'])
const CELLS = new Set(['td', 'th'])

/**
 * The text of an HTML page as it would be read: headings marked as in Markdown, list items and table rows on lines of
 * their own. Nothing in it is run or fetched.
 */
export function htmlText(html: string): string {
  const parts: string[] = []
  const document = parse(html)
  // A stack of its own: pages are nested deeper than calls may be.
  const stack: (Node | string)[] = [document]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (typeof node === 'string') parts.push(node)
    else if (node.nodeName === '#text' && 'value' in node) parts.push(node.value.replace(/\s+/g, ' '))
    else if ('childNodes' in node && !SILENT.has(node.nodeName)) {
      const { before, after } = around(node.nodeName)
      parts.push(before)
      stack.push(after)
      for (const child of [...node.childNodes].reverse()) stack.push(child)
    }
  }
  return tidyLines(parts.join(''))
}

function around(name: string): { before: string; after: string } {
  const heading = /^h([1-6])$/.exec(name)
  if (heading) return { before: `\n\n${'#'.repeat(Number(heading[1]))} `, after: '\n\n' }
  if (PARAGRAPHS.has(name)) return { before: '\n\n', after: '\n\n' }
  if (name === 'li') return { before: '\n- ', after: '\n' }
  if (LINES.has(name)) return { before: '\n', after: name === 'br' ? '' : '\n' }
  if (CELLS.has(name)) return { before: '', after: ' | ' }
  return { before: '', after: '' }
}

const tidyLines = (text: string): string =>
  text
    .split('\n')
    .map((line) =>
      line
        .replace(/[^\S\n]+/g, ' ')
        .replace(/ \| ?$/, '')
        .trim(),
    )
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/\n\n(?=- )/g, '\n')
    .trim()
