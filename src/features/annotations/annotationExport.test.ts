import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTable } from '#domain/tables/readTable.ts'
import { checkRow } from './tableImport/rowCheck.ts'
import { ANNOTATION_IMPORT_FIELDS, guessMapping } from './tableImport/columnMapping.ts'
import { ANNOTATION_EXPORT_FORMATS, toFileHeader, toFileLine } from './annotationExport.ts'

/** What another Loupe imports of an exported file. */
function imported(text: string) {
  const { heads, rows } = readTable(text)
  const how = {
    heads,
    controls: ANNOTATION_IMPORT_FIELDS,
    mapping: guessMapping(ANNOTATION_IMPORT_FIELDS, heads),
    needsInput: true,
  }
  return rows.map(({ cells }, index) => checkRow(index + 1, cells, how).input.inputs)
}

test.each(ANNOTATION_EXPORT_FORMATS)('what is exported as %s is imported as it was', (format) => {
  const words = fc
    .oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
      fc.constantFrom('- one\n- two', '=1+1', "'=1+1", '\t+', "'", '"quoted", so', 'a;b;c\td|e', '一问', ' blank '),
    )
    // A lone half of a sign is no text in any file.
    .filter((text) => text.trim() !== '' && text.isWellFormed())
  fc.assert(
    fc.property(fc.array(fc.record({ question: words, answer: words }), { minLength: 1, maxLength: 4 }), (given) => {
      const rows = given.map((row, index) => ({
        id: `id-${index}`,
        ...row,
        hit_count: null,
        created_at: 1_700_000_000,
      }))
      expect(imported(toFileHeader(format) + rows.map((row) => toFileLine(format, row)).join(''))).toEqual(given)
    }),
  )
})
