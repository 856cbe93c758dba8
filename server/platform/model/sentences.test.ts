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

test('an abbreviation, initials or an ordinal does not end a sentence, unless a common word begins the next', () => {
  expect(
    texts('He met Dr. Hill of Acme Inc., v. Roe of the U.S. Navy. Then he went to the U.S. The rest stayed.'),
  ).toEqual(['He met Dr. Hill of Acme Inc., v. Roe of the U.S. Navy.', 'Then he went to the U.S.', 'The rest stayed.'])
  expect(texts('See Fig. 2 and No. 7. The score was 20. Davis won it.')).toEqual([
    'See Fig. 2 and No. 7.',
    'The score was 20.',
    'Davis won it.',
  ])
  expect(texts('Er kam am 3. Oktober und blieb z. B. bis in das 19. Jahrhundert. Das war Nr. 5 der Liste.')).toEqual([
    'Er kam am 3. Oktober und blieb z. B. bis in das 19. Jahrhundert.',
    'Das war Nr. 5 der Liste.',
  ])
  expect(texts('А. С. Пушкин и его друзья жили там в 1820 г. Он уже не был в городе, когда это было.')).toEqual([
    'А. С. Пушкин и его друзья жили там в 1820 г.',
    'Он уже не был в городе, когда это было.',
  ])
})

test('a Latin abbreviation within Chinese does not end the sentence, a quotation goes on with its verb', () => {
  expect(texts('最高法院审理了Feist Publications, Inc., v. Rural Telephone Service Co.案。判决很短。')).toEqual([
    '最高法院审理了Feist Publications, Inc., v. Rural Telephone Service Co.案。',
    '判决很短。',
  ])
  expect(texts('「はい。」と言った。「また。」それから帰った。')).toEqual([
    '「はい。」と言った。',
    '「また。」',
    'それから帰った。',
  ])
})

test('text from right to left is split at its own signs', () => {
  expect(texts('أين يقع النهر؟ يقع النهر في الشمال. سافر د. أحمد إليه.')).toEqual([
    'أين يقع النهر؟',
    'يقع النهر في الشمال.',
    'سافر د. أحمد إليه.',
  ])
})

test('Thai, which marks no ends of sentences, is split into groups of clauses, never at a number or a foreign name', () => {
  const clause = 'โรงสีริมแม่น้ำสร้างขึ้นเมื่อปี 1902 โดยช่าง Miller ผู้มีชื่อเสียงของหมู่บ้าน'
  const clauses = texts(Array.from({ length: 6 }, () => clause).join(' '))
  expect(clauses).toEqual(Array.from({ length: 3 }, () => `${clause} ${clause}`))
})

test('words that are all separated from their signs by blanks are split too', () => {
  expect(texts('the wing was tested . the lift rose at mach 2 .')).toEqual([
    'the wing was tested .',
    'the lift rose at mach 2 .',
  ])
})

test('references to the sources of the text are taken off, code in brackets is kept', () => {
  expect(texts('The mill is old.[12] Its wheel [3] turns. Read `row[1]` first.')).toEqual([
    'The mill is old.',
    'Its wheel turns.',
    'Read `row[1]` first.',
  ])
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
