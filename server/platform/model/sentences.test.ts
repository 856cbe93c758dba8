import { expect, test } from 'vitest'
import { splitSentences } from './sentences.ts'

const texts = (text: string) => splitSentences(text).map((sentence) => sentence.text)

test('prose is split at the ends of sentences, not at line breaks or abbreviations', () => {
  expect(texts('One thing, e.g. this\none. Another! A third?')).toEqual([
    'One thing, e.g. this one.',
    'Another!',
    'A third?',
  ])
  expect(texts('第一句。第二句！第三句？')).toEqual(['第一句。', '第二句！', '第三句？'])
})

test('headings stand over what follows; marks of lists, quotes and links are taken off', () => {
  expect(splitSentences('# Setup\n\n1. Run [it](http://x.y).\n> Quoted ![a picture](p.png) text.')).toEqual([
    { text: 'Run it.', heading: 'Setup', code: false },
    { text: 'Quoted a picture text.', heading: 'Setup', code: false },
  ])
})

test('a short line that stands alone over others is a heading, also without its marks', () => {
  expect(splitSentences('States of a document\n\nIt waits.\n\nThe end')).toEqual([
    { text: 'It waits.', heading: 'States of a document', code: false },
    { text: 'The end', heading: 'States of a document', code: false },
  ])
  expect(texts('- one\n\ntwo.\n\nthree')).toEqual(['one', 'two.', 'three'])
})

test('a block of code is one, closed or not', () => {
  expect(splitSentences('```js\na. b.\n\nc\n```\nAfter.')).toEqual([
    { text: 'a. b.\n\nc', heading: '', code: true },
    { text: 'After.', heading: '', code: false },
  ])
  expect(texts('~~~\nopen')).toEqual(['open'])
})

test('a table gives its rows without the row of column names', () => {
  expect(texts('| name | price |\n|---|---|\n| tea | 3 |\n| milk | 1 |')).toEqual(['tea | 3', 'milk | 1'])
})

test('blank, rules and signs give nothing', () => {
  expect(texts('\n\n---\n***\n …\n')).toEqual([])
})
