import { expect, test } from 'vitest'
import { costOf } from './blockCost.ts'

const fill = (unit: string, characters: number): string =>
  unit.repeat(Math.ceil(characters / unit.length)).slice(0, characters)
const ticks = Array.from({ length: 600 }, (_, length) => '`'.repeat(length + 1)).join(' ')

test.each([
  ['emphasis', fill('*_', 10_000)],
  ['emphasis of 100 KB', fill('*_', 100_000)],
  ['emphasis within emphasis', `${fill('*', 10_000)}a${fill('*', 10_000)}`],
  ['quotations in quotations', fill('> ', 20_000)],
  ['lists in lists', fill('- ', 20_000)],
  ['lists in lists, line by line', Array.from({ length: 90 }, (_, depth) => `${' '.repeat(2 * depth)}- a\n`).join('')],
  ['brackets that are never closed', fill('[', 20_000)],
  ['brackets that were never opened', fill(']', 20_000)],
  ['links that never end', fill('[a](b "', 20_000)],
  ['images in images', `${fill('![', 4_000)}${fill('](b)', 4_000)}`],
  ['words behind an open bracket', `[${fill('a b ', 32_000)}`],
  ['comments that never end', `x${fill('<!--a ', 20_000)}`],
  ['instructions that never end', `x${fill('<?', 20_000)}`],
  ['code that never ends', ticks],
  ['addresses in one word', fill('www._', 20_000)],
  ['marks in an address', `http://a${fill(')', 30_000)}x`],
  ['marks of tables', `|-${fill('|:', 200_000)}-~~~`],
  ['headings under each other', fill('a\n=\n', 20_000)],
  ['cells', `|a|b|\n|-|-|\n${fill('|a|b|\n', 20_000)}`],
  ['list items', fill('- a\n', 200_000)],
  ['lines with a line break of two characters', fill('*_a\r\n', 20_000)],
  ['lines that only look blank', fill('*_\n\u00a0\n', 20_000)],
])('a block is not parsed on the page for its %s', (_name, text) => {
  expect(costOf(text).way).not.toBe('page')
})

test.each([
  [
    'prose',
    fill('The quick **brown** fox jumps over the `lazy` dog and sees [the hill](https://a.example/hill). ', 5_000),
  ],
  ['a long text', fill('The quick brown fox jumps over the lazy dog. ', 60_000)],
  ['a list', fill('- **Item**: its words, `code` and [a link](https://a.example/x)\n', 6_000)],
  ['a table', `| a | b | c |\n| - | - | - |\n${fill('| **cell** | `two` | three words here |\n', 5_000)}`],
  ['code', `\`\`\`js\n${fill('const a = [b[0], *c, d_e] // <!-- ](\n', 50_000)}\n\`\`\``],
  ['citations', fill('It is so [1], and so [2][3]. ', 4_000)],
  ['formulas', fill('So \\(a_1 * b_1 = c_{2}\\) holds. ', 4_000)],
  ['Chinese', fill('这是一个测试，**（注）**后文。', 6_000)],
])('%s of a usual length is parsed on the page', (_name, text) => {
  expect(costOf(text).way).toBe('page')
})

test('what is large and harmless goes to the worker unasked; what is not waits for somebody to ask', () => {
  expect(costOf(fill('- **Item**: its words, `code` and [a link](https://a.example/x)\n', 60_000)).way).toBe('worker')
  expect(costOf(fill('*_', 100_000)).way).toBe('plain')
  expect(costOf(fill('> ', 20_000)).way).toBe('plain')
})
