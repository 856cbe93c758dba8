import { expect, test } from 'vitest'
import { pdfToText, type PdfTextItem, toPdfLines } from './pdfText.ts'

/** A line of letters of one height; each part begins at its x, and half a height is one letter wide. */
const line = (y: number, height: number, ...parts: [x: number, text: string][]): PdfTextItem[] =>
  parts.map(([x, str], index) => ({
    str,
    hasEOL: index === parts.length - 1,
    transform: [height, 0, 0, height, x, y],
    width: (str.length * height) / 2,
    height,
  }))
const read = (...pages: PdfTextItem[][][]) => pdfToText(pages.map((lines) => toPdfLines(lines.flat())))

test('lines in larger letters are headings, the largest of the first level, and one of two lines is one', () => {
  expect(
    read(
      [
        line(700, 24, [50, 'Service manual of']),
        line(672, 24, [50, 'the lamp']),
        line(640, 11, [50, 'The seat carries the lamp.']),
        line(600, 16, [50, '1 Seat and gap']),
        line(580, 11, [50, 'The gap stays below 0.4 mm.']),
        line(566, 11, [50, 'Do not file it.']),
      ],
      [line(700, 11, [50, 'A second page.'])],
    ),
  ).toBe(
    '# Service manual of the lamp\n\nThe seat carries the lamp.\n\n## 1 Seat and gap\n\nThe gap stays below 0.4 mm.\nDo not file it.\n\nA second page.',
  )
})

test('lines whose parts stand in the same columns are a table, also flush right', () => {
  expect(
    read([
      line(700, 10, [50, 'Prices']),
      line(680, 10, [50, 'Part'], [200, 'Weight'], [300, 'Price']),
      line(666, 10, [50, 'Seat'], [200, '12 g'], [310, '4.50']),
      line(652, 10, [50, 'Lamp|house'], [200, '1.2 kg'], [305, '110.00']),
      line(630, 10, [50, 'All of them in euro.']),
    ]),
  ).toBe(
    'Prices\n\n| Part | Weight | Price |\n| --- | --- | --- |\n| Seat | 12 g | 4.50 |\n| Lamp\\|house | 1.2 kg | 110.00 |\n\nAll of them in euro.',
  )
})

test('a line with one tabulator is no table, and letters of one size have no heading', () => {
  expect(read([line(700, 10, [50, 'Name:'], [200, 'Ada']), line(686, 10, [50, 'A sentence follows.'])])).toBe(
    'Name:Ada\nA sentence follows.',
  )
  expect(read([])).toBe('')
})
