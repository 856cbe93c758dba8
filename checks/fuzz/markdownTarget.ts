import fc from 'fast-check'
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type * as blockCostModule from '../../src/components/markdown/blocks/blockCost.ts'
import type * as markdownModule from '../../src/components/markdown/Markdown.tsx'
import type * as markdownBlocksModule from '../../src/components/markdown/blocks/markdownBlocks.ts'
import { openBrowserModules } from './browserModules.ts'
import { createTarget, fromSamples, type FuzzTarget, requireThat } from './target.ts'

type ParsedNode = DefaultTreeAdapterMap['node']

const ALLOWED_ELEMENTS = new Set(
  'a b blockquote br button code del details div em h3 h4 h5 h6 hr i input ins kbd li ol p path pre section span strong sub summary sup svg table tbody td th thead tr u ul mark'.split(
    ' ',
  ),
)
const FORBIDDEN_ATTRIBUTE = /^on|^style$|^src|^srcdoc$|^action|^formaction|^id$|^name$|xlink|^background$|^ping$/
const pieceArbitrary = fc.oneof(
  fromSamples(
    '<script>alert(1)</script>¦<img src=x onerror=alert(1)>¦![x](https://evil.example/p.png)¦<!--¦<svg onload=x>',
    '[c](javascript:alert(1))¦[c](JaVaScRiPt&colon;alert(1))¦[r]\n\n[r]: data:text/html,x¦<a href="//evil">',
    '```html\n¦```¦~~~¦$$¦\\(¦\\[¦|a|\n|-|\n¦> ¦- ¦1. ¦    ¦# ¦***¦__¦<think>¦</think>¦<thinking onclick=x>',
    '<sub onclick=x>¦</sub>¦<summary>¦<details open>¦&#106;¦[^1]¦[^1]: x¦[1]¦\u202e¦\0¦\\¦\n¦\n\n',
    '<style>*{}</style>¦<math><mi//xlink:href="data:x">¦https://a.example/?q=<b>¦~1~2~',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
)

/**
 * Milliseconds of the main thread that one text may take at a time, on a machine that renders the reference text within
 * `REFERENCE_MS`; a slower or busier machine gets as much more time. An idle machine of two cores takes 24 to 45 ms.
 */
const MAX_BUSY_MS = 200
const REFERENCE_MS = 60
const MAX_ROUNDS = 6
/** Characters that a text may have. */
const MAX_CHARACTERS = 200_000
/** What a parser has to look at twice. */
const fragmentArbitrary = fromSamples(
  '*¦_¦**¦~~¦`¦``¦[¦]¦](¦![¦[^a]¦[1]¦<¦<!--¦-->¦<sub>¦</sub>¦</think>¦<details>¦<?¦<a ¦<div>¦>',
  '> ¦- ¦1. ¦2) ¦  ¦    ¦\t¦\n¦\n\n¦\r\n¦  \n¦\\\n¦|¦|-¦|-|-|\n¦# ¦---¦===',
  'a¦word ¦&amp;¦&copy;¦\\¦$¦$$¦\\(¦\\)¦www.¦http://a¦a@b.c¦@¦[a]: b¦[^a]: b¦```¦~~~',
  '这¦（¦\u00a0¦"¦\'¦(¦)¦!¦{¦^¦:¦.¦=¦-¦+¦<think>¦[ ] ',
)
const textArbitrary = (minLength: number, maxLength: number) =>
  fc.array(fragmentArbitrary, { minLength, maxLength }).map((parts) => parts.join(''))
const shapeArbitrary = fc.record({
  before: textArbitrary(0, 4),
  unit: textArbitrary(1, 5),
  after: textArbitrary(0, 4),
})
type Shape = typeof shapeArbitrary extends fc.Arbitrary<infer Value> ? Value : never
type Input = { kind: 'safe'; pieces: string[]; live: boolean } | { kind: 'busy'; shape: Shape }

/**
 * Nothing that a model writes becomes an element or an attribute that runs or loads, live or ended; and no text of 200 KB
 * keeps the main thread busy for longer than 200 ms at a time.
 */
export async function createMarkdownTarget(): Promise<FuzzTarget> {
  const { load, close } = await openBrowserModules()
  const { Markdown, MarkdownBlock } = (await load('/src/components/markdown/Markdown.tsx')) as typeof markdownModule
  const { costOf, costOfBlock } = (await load('/src/components/markdown/blocks/blockCost.ts')) as typeof blockCostModule
  const { splitBlocks, emptyBlocks } = (await load(
    '/src/components/markdown/blocks/markdownBlocks.ts',
  )) as typeof markdownBlocksModule
  const drawAll = (text: string) => void renderToStaticMarkup(createElement(Markdown, { text, isStreaming: false }))
  const drawOne = (block: markdownBlocksModule.TextBlock) =>
    void renderToStaticMarkup(
      createElement(MarkdownBlock, { block, isOpen: false, isMarked: false, highlight: null, depth: 0 }),
    )
  const ofLength = ({ before, unit, after }: Shape, times: number) => before + unit.repeat(times) + after

  /** The longest text of a shape that is still parsed on the page: there the time is nearest to its bound. */
  const findLongestParsed = (one: Shape) => {
    const maxRepeats = Math.ceil(MAX_CHARACTERS / one.unit.length)
    const isParsed = (times: number) => costOf(ofLength(one, times)).way === 'page'
    let low = 1
    while (low * 2 <= maxRepeats && isParsed(low * 2)) low *= 2
    let high = Math.min(low * 2, maxRepeats)
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (isParsed(middle)) low = middle
      else high = middle - 1
    }
    return ofLength(one, low)
  }
  const checkBusy = (one: Shape) => {
    const longestText = ofLength(one, Math.ceil(MAX_CHARACTERS / one.unit.length)).slice(0, MAX_CHARACTERS)
    for (const text of [longestText, findLongestParsed(one)]) {
      const name = `${JSON.stringify(one)} with ${text.length} characters`
      requireQuick(`The first step of ${name}`, () => drawAll(text))
      const { closed, open } = splitBlocks(emptyBlocks, text)
      // The page answers between two blocks.
      const [costliest] = [...closed, open].sort((a, b) => costOfBlock(b).drawMs - costOfBlock(a).drawMs)
      if (costliest) requireQuick(`A block of ${name}`, () => drawOne(costliest))
    }
  }
  // What is compiled late is no fault of a text.
  for (let round = 0; round < 5; round++) drawAll(REFERENCE_MARKDOWN)
  const requireQuick = (name: string, work: () => void) => {
    const ms = measureBest(work, () => drawAll(REFERENCE_MARKDOWN))
    requireThat(
      ms <= MAX_BUSY_MS,
      `${name} keeps the main thread busy for ${Math.round(ms)} ms on a machine that renders the reference text within ${REFERENCE_MS} ms.`,
    )
  }

  const safe = fc.record({
    kind: fc.constant('safe' as const),
    pieces: fc.array(pieceArbitrary, { minLength: 1, maxLength: 24 }),
    live: fc.boolean(),
  })
  const busy = fc.record({ kind: fc.constant('busy' as const), shape: shapeArbitrary })
  return createTarget(
    fc.oneof<fc.MaybeWeightedArbitrary<Input>[]>({ arbitrary: safe, weight: 4 }, { arbitrary: busy, weight: 1 }),
    (input: Input) => {
      if (input.kind === 'busy') return checkBusy(input.shape)
      const { pieces, live } = input
      checkNode(
        parseFragment(renderToStaticMarkup(createElement(Markdown, { text: pieces.join(''), isStreaming: live }))),
      )
    },
    close,
  )
}

const REFERENCE_MARKDOWN =
  '- **one** `two` [three](https://a.example)\n\n| a | b |\n| - | - |\n| *c* | ~~d~~ |\n\n> # e &amp; f\n\n'.repeat(20)

/**
 * Milliseconds that some work takes on a machine that does the reference work within `REFERENCE_MS`: the first that is at
 * most `MAX_BUSY_MS`, or the best of all rounds, since on a busy machine the compiler, which has threads of its own, comes
 * late. Where a round is too slow, the reference is measured beside it: another process may slow the machine down for a
 * moment, and then both.
 */
function measureBest(work: () => void, reference: () => void): number {
  let best = Infinity
  for (let round = 0; round < MAX_ROUNDS && best > MAX_BUSY_MS; round++) {
    const ms = measureThreadMs(work)
    best = Math.min(best, ms > MAX_BUSY_MS ? ms / Math.max(1, measureThreadMs(reference) / REFERENCE_MS) : ms)
  }
  return best
}

/** Milliseconds of this thread, so that what else the machine does counts for little. */
function measureThreadMs(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

function checkNode(node: ParsedNode): void {
  if ('tagName' in node) {
    requireThat(ALLOWED_ELEMENTS.has(node.tagName), `It makes an element ${node.tagName}.`)
    for (const { name, value } of node.attrs) {
      requireThat(!FORBIDDEN_ATTRIBUTE.test(name), `It makes an attribute ${name}.`)
      if (name === 'href') requireThat(/^(?:https?:\/\/[^/]|mailto:)/.test(value), `It links to ${value}.`)
    }
  }
  if ('childNodes' in node) for (const child of node.childNodes) checkNode(child)
}
