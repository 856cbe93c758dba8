import fc from 'fast-check'
import { unparse } from 'papaparse'
import { describe, expect, it } from 'vitest'
import { findPairColumns, findQuestionTurn } from './columnNames.ts'
import { readDelimitedTable } from './delimitedTable.ts'
import { isJsonText, readJsonTable } from './jsonTable.ts'
import { openTable, readTable } from './readTable.ts'
import { toReadableLines } from './tableText.ts'

const readCells = (text: string) => {
  const { head, rows } = readDelimitedTable(text)
  return [head, ...rows].map((row) => row?.cells)
}
const readProblems = (text: string) => readDelimitedTable(text).problems.map(({ kind, line, row }) => [kind, line, row])

describe('a table of delimited text', () => {
  it('comes back as it was written, whatever stands between its cells', () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 12 })
    const table = fc
      .integer({ min: 2, max: 5 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
      )
    fc.assert(
      fc.property(table, fc.constantFrom(',', '\t', ';'), (rows, delimiter) => {
        const filled = rows.map((row) => row.map((one, index) => (index === 0 ? `x${one}` : one)))
        const head = filled[0]?.map((_, index) => `h${index}`) ?? []
        expect(readCells(unparse([head, ...filled], { delimiter }))).toEqual([head, ...filled])
      }),
    )
  })

  it.each([
    [
      'a line that names the delimiter',
      'sep=;\r\nProduct;Price\r\nKettle;19,90\r\n',
      [
        ['Product', 'Price'],
        ['Kettle', '19,90'],
      ],
    ],
    [
      'a byte order mark before that line',
      '\uFEFF"sep=|"\na|b;c\n1|2',
      [
        ['a', 'b;c'],
        ['1', '2'],
      ],
    ],
    [
      'one column of texts with other delimiters',
      'question\nfoo; bar; baz\nx, y\tz\n',
      [['question'], ['foo; bar; baz'], ['x, y\tz']],
    ],
    ['one column with quotes', '"question"\n"a, ""b"""\n', [['question'], ['a, "b"']]],
    [
      'two delimiters in the head',
      'Frage;Antwort, kurz\na;b\nc;d, e\n',
      [
        ['Frage', 'Antwort, kurz'],
        ['a', 'b'],
        ['c', 'd, e'],
      ],
    ],
    [
      'tabs, and line ends of old programs',
      'a\tb\r1\t2,3\r',
      [
        ['a', 'b'],
        ['1', '2,3'],
      ],
    ],
    [
      'guards of formulas',
      "a,b\n'=1+1,'-x",
      [
        ['a', 'b'],
        ['=1+1', '-x'],
      ],
    ],
  ])('with %s', (_, text, cells) => expect(readCells(text)).toEqual(cells))

  it.each([
    ['nothing', '', [['empty', 1, undefined]]],
    ['a head alone', 'a,b\n', [['head_alone', 1, undefined]]],
    ['a quote that is never closed', 'a,b\n1,"x\ny"\n3,"4\n5,6\n', [['open_quote', 4, 2]]],
    ['text behind a quote', 'q,x\n"two\nlines",c\n1,"hi" she said\nz,9\n', [['stray_quote', 4, 2]]],
    ['cells beyond the head', 'a,b\n\n1,2,3\n4,5,\n', [['extra_cells', 3, 1]]],
    ['the same head twice', 'a,b,a\n1,2,3\n', [['repeated_head', 1, undefined]]],
    ['delimiters behind the last column', 'a,b,,\n1,2,,\n', []],
  ])('says what is wrong: %s', (_, text, problems) => expect(readProblems(text)).toEqual(problems))

  it('has each head once, and a name for a column without one', () => {
    const { heads, problems } = readDelimitedTable('a,b,a,,a\n1,2,3,4,5\n')
    expect(heads).toEqual(['a', 'b', 'a (2)', 'column 4', 'a (3)'])
    expect(problems[0]?.message).toBe('Columns 1 and 3 have the same name, “a”. The second is named “a (2)” here.')
  })

  it('counts rows as a spreadsheet does, and lines as an editor does', () => {
    const { rows } = readDelimitedTable('sep=,\na,b\n\n"1\n2",3\n4,5')
    expect(rows.map(({ number, line }) => [number, line])).toEqual([
      [4, 4],
      [5, 6],
    ])
  })
})

describe('JSON', () => {
  it.each([
    ['lines', '{"q":"a,b","n":12345678901234567890}\r\n\n[1]\n{"a":null,"q":"x"}\n{"q":'],
    ['a list', '[{"q":"a,b","n":12345678901234567890},\n\n[1],{"a":null,"q":"x"}]'],
  ])('%s are a table with a column for each name, and all digits', (kind, text) => {
    expect(isJsonText(text)).toBe(true)
    const { heads, rows, problems } = readJsonTable(text)
    if (kind === 'a list') return expect(problems).toMatchObject([{ kind: 'not_object', line: 1 }, { kind: 'empty' }])
    expect(heads).toEqual(['q', 'n', 'a'])
    expect(rows.map(({ cells }) => cells)).toEqual([['a,b', '12345678901234567890'], [], ['x', '', ''], []])
    expect(problems).toMatchObject([
      { kind: 'not_object', line: 3, row: 2 },
      { kind: 'not_object', line: 5, row: 4 },
    ])
  })

  it('as a list has the same rows', () => {
    expect(readTable('\uFEFF[{"q":"x"},{"q":{"ids":[-12345678901234567890]}}]').rows.map(({ cells }) => cells)).toEqual(
      [['x'], ['{"ids":[-12345678901234567890]}']],
    )
    expect(readJsonTable('{}').problems).toMatchObject([{ kind: 'empty' }])
  })
})

it.each([
  ['windows-1252', 'Frage;Gr\xf6\xdfe\r\nWie?;80 \x80\r\n', ['Frage', 'Größe']],
  ['gb18030', 'topic,\xc3\xfb\xb3\xc6\ntea,\xc2\xcc\xb2\xe8\n', ['topic', '名称']],
  ['utf-16le', 'a\0;\0b\0\n\x001\0;\x002\0', ['a', 'b']],
])('a file in %s is read', async (encoding, binary, heads) => {
  const opened = await openTable(new Uint8Array(Buffer.from(binary, 'latin1')), { maxRows: 10 })
  expect([opened.encoding, readTable(opened.content).heads]).toEqual([encoding, heads])
})

describe('the names of columns', () => {
  it.each([
    ['question', 'answer'],
    [' Questions ', 'Answers'],
    ['问题', '答案', 'note'],
    ['id', '提问', '回复'],
    ['Q', 'A'],
    ['質問', '回答'],
    ['질문', '답변'],
    ['Frage', 'Antwort'],
    ['Fragen', 'Antworten'],
    ['Question', 'Réponse'],
    ['Pregunta', 'Respuesta'],
    ['position', 'content', 'answer'],
  ])('%s and %s are questions and answers', (...heads) => expect(findPairColumns(heads)).not.toBeNull())

  it.each([[['question']], [['name', 'answer']], [[]], [['content', 'text']]])('%j are not', (heads) =>
    expect(findPairColumns(heads)).toBeNull(),
  )

  it.each([
    ['query', 1],
    ['User prompt', 1],
    ['turn_2', 2],
    ['問題 3', 3],
    ['answer', null],
  ])('%s is the question of turn %s', (name, turn) => expect(findQuestionTurn(name)).toBe(turn))
})

it.each([
  [
    'names',
    'question,answer\n如何退货？," line one\r\n\nline two "\na,b,beyond',
    'question: 如何退货？; answer: line one line two\nquestion: a; answer: b; beyond',
  ],
  ['a row alone', 'only,"one row"', 'only; one row'],
  ['nothing', '', ''],
  ['a name twice, and a column without one', 'a,a,\n1,2,3', 'a: 1; a (2): 2; column 3: 3'],
])('each row is one line with the names of its columns: %s', (_, text, lines) =>
  expect(toReadableLines(readDelimitedTable(text))).toBe(lines),
)

it('a cell of many blanks takes no quadratic time', () => {
  const startedAt = performance.now()
  expect(toReadableLines(readDelimitedTable(`a\n"x${' '.repeat(200_000)}y"\n`))).toHaveLength(200_005)
  expect(performance.now() - startedAt).toBeLessThan(2_000)
})
