import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import Markdown from 'react-markdown'
import { expect, test } from 'vitest'
import { toRemarkPlugins } from '../pipeline/markdownPipeline.ts'
import { type TextBlocks, splitBlocks, hasDefinitions, emptyBlocks } from './markdownBlocks.ts'

const lines = fc.constantFrom(
  '',
  '',
  '',
  ' ',
  '\t',
  'plain words',
  'two **bold** words',
  '# heading',
  '---',
  '===',
  '***',
  '* * *',
  '- item',
  '* item',
  '+ item',
  '1. first',
  '2) second',
  '   - inner',
  '  inner',
  '    deep',
  '     deeper',
  '\tdeep',
  ' one space',
  '-',
  '1.',
  '```',
  '````',
  '```js',
  ' ```',
  '   ```',
  '    ```',
  '- ```',
  '  ```',
  '1. ```',
  '~~~',
  ' ~~~',
  '~~~~ x',
  '``` a`b',
  '> quote',
  '> - item',
  '> ```',
  '>',
  '  > deep',
  '| a | b |',
  '| - | - |',
  '| 1 | 2 |',
  'a | b',
  '<div>',
  '</div>',
  '<!-- note',
  '-->',
  'end -->',
  '<script>',
  '</script>',
  '<pre>x',
  '</pre>',
  '<?php',
  '?>',
  '<!DOCTYPE',
  '  <!--',
  '- <!-- x',
  '中文。',
  '- [ ] task',
  '`code',
  'back\\',
  'x  ',
  '[link](http://a.b)',
  'a line that goes on for a while',
  '- - a',
  '-  \ta',
  '$$',
  '$$ a_1',
  '= b $$',
  '- \\[',
  '  \\[',
  '  \\]',
)
const tags = fc.constantFrom(
  'a <think> b',
  'c:<THINK x>',
  '- d <think>',
  '</think>',
  'e.</thinking>',
  'f <details>',
  '</details>',
)
const ending = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r')
const texts = fc
  .array(fc.tuple(lines, ending), { maxLength: 24 })
  .map((parts) => parts.map(([line, end]) => line + end).join(''))

test('joined, the blocks are the text, and how the text came makes no difference', () => {
  const any = fc.oneof(
    texts,
    fc.string({ unit: 'grapheme' }),
    fc.array(fc.tuple(fc.oneof(lines, tags), ending), { maxLength: 12 }).map((parts) => parts.flat().join('')),
    texts.map((text) => `<think>a\n\n${text}</think> b`),
    fc.tuple(texts, texts).map(([text, more]) => `${text}</think>\n\n${more}`),
    fc.tuple(texts, texts).map(([text, more]) => `<details open>\n<summary>s</summary>\n${text}</details>\n${more}`),
  )
  fc.assert(
    fc.property(any, fc.array(fc.nat(200), { maxLength: 12 }), (text, cuts) => {
      const whole = splitBlocks(emptyBlocks, text)
      const grown = [...cuts.sort((a, b) => a - b), text.length].reduce<TextBlocks>(
        (blocks, end) => splitBlocks(blocks, text.slice(0, end)),
        emptyBlocks,
      )
      expect(join(whole)).toBe(text)
      for (const { start, text: words } of all(whole)) expect(text.startsWith(words, start)).toBe(true)
      expect(all(grown)).toEqual(all(whole))
    }),
    { numRuns: 400 },
  )
})

test('a block that is done is never cut otherwise later', () => {
  fc.assert(
    fc.property(texts, texts, (text, more) => {
      const before = splitBlocks(emptyBlocks, text)
      const after = splitBlocks(before, text + more)
      expect(after.closed.slice(0, before.closed.length)).toEqual(before.closed)
      expect(
        after.closed.every((block, index) => index >= before.closed.length || block === before.closed[index]),
      ).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('each block parses alone as it does in the whole text', () => {
  fc.assert(
    fc.property(
      texts.filter((text) => !hasDefinitions(text)),
      (text) => {
        const alone = all(splitBlocks(emptyBlocks, text)).map((block) => html(block.text))
        expect(alone.filter(Boolean).join('\n')).toBe(html(text))
      },
    ),
    { numRuns: 300 },
  )
})

test('a text that is replaced is cut again', () => {
  const before = splitBlocks(emptyBlocks, 'one\n\ntwo\n\nthree\n')
  expect(all(splitBlocks(before, 'other\n\nwords that go on'))).toEqual([
    { kind: 'markdown', text: 'other\n\n', start: 0 },
    { kind: 'markdown', text: 'words that go on', start: 7 },
  ])
})

const all = ({ closed, open }: TextBlocks) => (open.text === '' ? [...closed] : [...closed, open])
const join = (blocks: TextBlocks) =>
  all(blocks)
    .map(({ text }) => text)
    .join('')
const html = (text: string) =>
  renderToStaticMarkup(createElement(Markdown, { remarkPlugins: toRemarkPlugins(text) }, text))
    // Raw HTML is shown as text and keeps the blanks around it.
    .replace(/^\s+|\s+$/gm, '')
    .trim()
