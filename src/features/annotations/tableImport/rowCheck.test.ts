import { expect, test } from 'vitest'
import { makeDuplicateFinder } from './rowCheck.ts'

const finder = (existing: [string, string][] = []) => ({
  find: makeDuplicateFinder({ keyField: 'question', valueField: 'answer', existing }),
})
const row = (question: string, answer: string) => ({ question, answer })

test('a row that repeats the question of an earlier row names it, and says whether the answer is the same', () => {
  const rows = finder()
  expect(rows.find(1, row('How do I pair the remote?', 'Hold it for five seconds.'))).toBeNull()
  expect(rows.find(2, row('Where is the serial number?', 'Below.'))).toBeNull()
  expect(rows.find(3, row('How do I pair the remote?', 'Hold it for five seconds.'))).toMatchObject({
    of: 1,
    isSame: true,
  })
  expect(rows.find(4, row('How do I pair the remote?', 'Ask support.'))).toMatchObject({ of: 1, isSame: false })
})

test('a question that an annotation has already is a duplicate of none of the rows', () => {
  const rows = finder([['How do I pair the remote?', 'Hold it for five seconds.']])
  expect(rows.find(1, row('How do I pair the remote?', 'Hold it for 5 seconds.'))).toEqual({
    row: 1,
    of: null,
    isSame: false,
    key: 'How do I pair the remote?',
  })
})

test('invisible characters and composed forms make no other question; case, width, ß, numbers and words do', () => {
  const rows = finder([
    ['Wo ist die Straße?', 'Rechts.'],
    ['如何退货？', '联系客服。'],
    ['Reset sensor 5', 'Hold key 45.'],
    ['Où est le café ?', 'À gauche.'],
  ])
  expect(rows.find(1, row(' 如何\u200b退货？ ', '联系客服。'))).toMatchObject({ of: null, isSame: true })
  expect(rows.find(2, row('Où est le cafe\u0301 ?', 'À gauche.'))).toMatchObject({ of: null, isSame: true })
  expect(rows.find(3, row('Re\u00adset sensor 5', 'hold key 45'))).toMatchObject({ of: null, isSame: true })
  for (const other of ['reset sensor 5', 'Reset sensor ５', 'Reset sensor 7', 'Wo ist die Strasse?', '如何退货?'])
    expect(rows.find(4, row(other, 'Hold key 45.'))).toBeNull()
})
