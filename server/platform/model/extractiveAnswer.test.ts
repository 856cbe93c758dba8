import { expect, test } from 'vitest'
import fc from 'fast-check'
import { extractAnswer, type Passage } from './extractiveAnswer.ts'
import { splitSentences } from './sentences.ts'

const passage = (mark: number | string, content: string, answer?: string): Passage => ({
  mark,
  content,
  answer,
  score: 0.5,
})
const ask = (question: string, passages: Passage[], earlier: string[] = []) =>
  extractAnswer({ question, earlier, passages, maxSentences: 3 })

const TEA = [
  passage(
    1,
    '# Green tea\n\nGreen tea is not oxidised. Steep it at 80 degrees for two minutes.\n\n- It comes from China.',
  ),
  passage(2, '# Black tea\n\nBlack tea is fully oxidised. It takes boiling water. Loupe has nothing to do with tea.'),
]

test('the sentence that answers is quoted with the mark of its passage', () => {
  expect(ask('At how many degrees do I steep green tea?', TEA)).toBe('Steep it at 80 degrees for two minutes. [1]')
  expect(ask('Is black tea oxidised?', TEA)).toBe('Black tea is fully oxidised. [2]')
})

test('several sentences become a list in the order of the passages', () => {
  const answer = ask('Which tea is oxidised?', TEA)
  expect(answer).toBe('The documents say:\n\n- Green tea is not oxidised. [1]\n- Black tea is fully oxidised. [2]')
})

test('a question of several parts is answered part by part', () => {
  const answer = ask('At how many degrees do I steep green tea, and which water does black tea take?', TEA)
  expect(answer).toBe(
    'The documents say:\n\n- Steep it at 80 degrees for two minutes. [1]\n- It takes boiling water. [2]',
  )
})

test('asked what something is, the sentence that says so is the answer', () => {
  const passages = [
    passage(1, 'In the mill there is a cat. The mill is a house by the river. Loupe remembers the mill.'),
  ]
  expect(ask('What is the mill?', passages)).toBe('The mill is a house by the river. [1]')
})

test('a sentence that stands in two passages is quoted once with both marks', () => {
  const twice = [passage(1, 'Tea is a drink.'), passage(2, 'Tea is a drink. Coffee too.')]
  expect(ask('What is tea?', twice)).toBe('Tea is a drink. [1][2]')
})

test('a heading stands for its sentences', () => {
  expect(ask('What water does black tea take?', TEA)).toBe('It takes boiling water. [2]')
})

test('a follow-up takes its subject from what was asked before', () => {
  const passages = [
    passage(1, 'The green kettle boils in two minutes. The green kettle costs 30 euros. A pan costs 10 euros.'),
  ]
  expect(ask('What does it cost?', passages, ['How fast is the green kettle?'])).toContain(
    'The green kettle costs 30 euros. [1]',
  )
})

test('in Q&A form the answer is quoted, found by its question', () => {
  const faq = [passage(1, 'How long is the warranty?', 'Three years from the day of purchase.')]
  expect(ask('How long is the warranty?', faq)).toBe('Three years from the day of purchase. [1]')
})

test('Chinese and Japanese are found by pairs of characters', () => {
  const zh = [passage(1, '绿茶是不发酵的茶。冲泡绿茶的水温以八十度为宜。红茶要用沸水。')]
  expect(ask('绿茶用多少度的水冲泡？', zh)).toBe('冲泡绿茶的水温以八十度为宜。 [1]')
  const ja = [passage(1, '緑茶は蒸して作られます。紅茶は発酵させた茶です。')]
  expect(ask('紅茶は何ですか', ja)).toBe('紅茶は発酵させた茶です。 [1]')
})

test('it says so when nothing was found, and when nothing found answers, in the language of the question', () => {
  expect(ask('What is tea?', [])).toBe('I found nothing about this in the documents.')
  expect(ask('How tall is Mount Everest?', TEA)).toBe(
    'No sentence in the documents answers this. The nearest passage is [1].',
  )
  expect(ask('什么是茶？', [])).toBe('在文档中没有找到相关内容。')
  expect(ask('お茶とは何ですか', [])).toMatch(/見つかりませんでした/)
})

test('code is quoted as code', () => {
  const passages = [passage(1, '## Install\n\n```sh\nnpm install && npm start\n```\n\nIt opens a page.')]
  expect(ask('how to install with npm', passages)).toBe(
    'The documents say:\n\n- [1]\n\n  ```\n  npm install && npm start\n  ```\n',
  )
})

test('a file is cited by its name', () => {
  expect(ask('What is tea?', [passage('notes.txt', 'Tea is a drink.')])).toBe('Tea is a drink. (notes.txt)')
})

test('every word quoted stands in the passages, and every mark names one, whatever is asked', () => {
  const word = fc.constantFrom(
    'tea',
    'green',
    'water',
    'boils',
    '茶',
    '绿茶',
    'は',
    '水温',
    '80',
    '- ',
    '# ',
    '`',
    '|',
    '\n',
    '. ',
    '？',
    '🍵',
  )
  const prose = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '))
  fc.assert(
    fc.property(prose, fc.array(prose, { maxLength: 4 }), (question, contents) => {
      const passages = contents.map((content, index) => passage(index + 1, content))
      const answer = ask(question, passages)
      const marks = [...answer.matchAll(/\[(\d+)\]/g)].map(([, mark]) => Number(mark))
      expect(marks.every((mark) => mark >= 1 && mark <= passages.length)).toBe(true)
      const all = contents.flatMap((content) => splitSentences(content).map(({ text }) => text))
      const listed =
        answer.startsWith('The documents say:') || answer.startsWith('文')
          ? /^- (.+?) (?:\[\d+\])+$/gm
          : /^(.+?) (?:\[\d+\])+$/gm
      const quoted = [...answer.matchAll(listed)].map(([, text]) => text)
      for (const text of quoted) expect(all).toContain(text)
    }),
    { numRuns: 500 },
  )
})
