import fc from 'fast-check'
import { parse } from 'papaparse'
import { describe, expect, it } from 'vitest'
import { toCsvLine, parseCsvCell } from '#domain/csv.ts'

/** Text of what matters in a cell, and of little else. */
const text = fc
  .array(
    fc.constantFrom(
      ...'=+-@＝＋－＠;,|\'" \u00a0\t\r\nx1'.split(''),
      '\u0000',
      '\u3000',
      '- ',
      '--',
      'cmd|',
      '"";',
      "'='",
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

/** Cells as a spreadsheet sees them that splits at another character: a quote counts at the start of a cell alone. */
function split(file: string, delimiter: string): string[] {
  const cells: string[] = []
  for (let at = 0, cell = '', isQuoted = false, isStart = true; at <= file.length; at++) {
    const character = file[at] ?? '\n'
    if (isStart && character === '"') {
      isQuoted = true
      isStart = false
    } else if (isQuoted && character === '"' && file[at + 1] === '"') {
      cell += '"'
      at++
    } else if (isQuoted && character === '"') isQuoted = false
    else if (!isQuoted && (character === delimiter || character === '\n' || character === '\r')) {
      cells.push(cell)
      cell = ''
      isStart = true
    } else {
      cell += character
      isStart = false
    }
  }
  return cells
}

/**
 * With the quotes and blanks that some program drops; behind an apostrophe it is text, and a lone hyphen or a number is no
 * formula.
 */
const isFormula = (cell: string) =>
  !/^-1+$/.test(cell) && /^["\s\p{Cf}]*(?:[=+@＝＋＠﹦﹢﹫]|[-－﹣](?![\s-]|$))/u.test(cell)

/** A run takes microseconds. */
const RUNS = 20 * (fc.readConfigureGlobal().numRuns ?? 100)

describe('a line of CSV', () => {
  it.each([
    ['x;=HYPERLINK("http://e")', `"x;'=HYPERLINK(""http://e"")"`],
    ['；＝1', '；＝1'],
    ['x;"=1"', `"x;'""=1"""`],
    ['Lamps:\n- one\n- two\n---\nEnd', '"Lamps:\n- one\n- two\n---\nEnd"'],
    ['\u200b=1', `"'\u200b=1"`],
    ['﹦1', `"'﹦1"`],
    ['plain', 'plain'],
    ...['-5', '-12.5', '8E-7', '-1.5e+300', '-9007199254740993', '-0'].map((number) => [number, number]),
    ...['-5 ', ' -5', '-05', '-.5', '-5.', '+5', '-5,0', '-5%', '-1e', '-5-3', '-Infinity', '－5', '-٥', '-0x10'].map(
      (text) => [text, `"'${text}"`],
    ),
    ['-5\n-6', `"'-5\n'-6"`],
    ['-5;-6', `"'-5;'-6"`],
    ['−5', '−5'],
  ])('%j is written as %j and read back', (value, written) => {
    expect(toCsvLine([value])).toBe(`${written}\r\n`)
    expect(parseCsvCell(parse<string[]>(written, { delimiter: ',' }).data[0]?.[0] ?? '')).toBe(value)
  })

  it('holds no formula for whoever splits it at a comma, a semicolon or a tab', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (cells) => {
        const file = toCsvLine(cells) + toCsvLine(cells)
        for (const delimiter of [',', ';', '\t'])
          expect(
            split(file, delimiter).filter((cell) => isFormula(cell)),
            `split at ${JSON.stringify(delimiter)}`,
          ).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })

  it('is read back as it was', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(text, fc.string({ unit: 'grapheme' })), { minLength: 2, maxLength: 4 }),
        (cells) => {
          const [back] = parse<string[]>(toCsvLine(cells).slice(0, -2), { delimiter: ',', newline: '\r\n' }).data
          expect(back?.map(parseCsvCell)).toEqual(cells)
        },
      ),
      { numRuns: RUNS },
    )
  })
})
