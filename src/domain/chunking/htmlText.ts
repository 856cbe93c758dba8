/** A node of a parsed page, as parse5 makes it and as the DOM has it. */
export interface HtmlNode {
  nodeName: string
  value?: string
  childNodes?: HtmlNode[]
}

const IGNORED_ELEMENTS = new Set([
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
const BLOCK_ELEMENTS = new Set([
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
const LINE_ELEMENTS = new Set(['br', 'li', 'tr', 'dt', 'dd', 'caption', 'summary', 'figcaption', 'option'])
const CELL_ELEMENTS = new Set(['td', 'th'])

/**
 * The readable text of an HTML page: headings in Markdown, list items and table rows on lines of their own. Executes
 * and fetches nothing.
 */
export function htmlToText(page: HtmlNode): string {
  const parts: string[] = []
  // An explicit stack: pages can be nested deeper than the call stack allows.
  const stack: (HtmlNode | string)[] = [page]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (typeof node === 'string') parts.push(node)
    else if (node.nodeName === '#text' && node.value !== undefined) parts.push(node.value.replace(/\s+/g, ' '))
    else if (node.childNodes && !IGNORED_ELEMENTS.has(node.nodeName)) {
      const { before, after } = getElementDelimiters(node.nodeName)
      parts.push(before)
      stack.push(after)
      for (const child of [...node.childNodes].reverse()) stack.push(child)
    }
  }
  return normalizeLines(parts.join(''))
}

function getElementDelimiters(name: string): { before: string; after: string } {
  const heading = /^h([1-6])$/.exec(name)
  if (heading) return { before: `\n\n${'#'.repeat(Number(heading[1]))} `, after: '\n\n' }
  if (BLOCK_ELEMENTS.has(name)) return { before: '\n\n', after: '\n\n' }
  if (name === 'li') return { before: '\n- ', after: '\n' }
  if (LINE_ELEMENTS.has(name)) return { before: '\n', after: name === 'br' ? '' : '\n' }
  if (CELL_ELEMENTS.has(name)) return { before: '', after: ' | ' }
  return { before: '', after: '' }
}

const normalizeLines = (text: string): string =>
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
