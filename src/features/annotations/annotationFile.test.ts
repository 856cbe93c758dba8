import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkRow } from '../../run/table/check.ts'
import { isJsonl, parseJsonl } from '../../run/table/jsonl.ts'
import { guess } from '../../run/table/mapping.ts'
import { parseTable } from '../../run/table/parse.ts'
import { FORMATS, headOf, lineOf } from './annotationFile.ts'
import { IMPORT_CONTROLS } from './importColumns.ts'

/** What another Loupe imports of an exported file. */
function imported(text: string) {
  const { heads, rows } = isJsonl(text) ? parseJsonl(text) : parseTable(text)
  const how = { heads, controls: IMPORT_CONTROLS, mapping: guess(IMPORT_CONTROLS, heads), needsInput: true }
  return rows.map((cells, index) => checkRow(index + 1, cells, how).input.inputs)
}

test.each(FORMATS)('what is exported as %s is imported as it was', (format) => {
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
      expect(imported(headOf(format) + rows.map((row) => lineOf(format, row)).join(''))).toEqual(given)
    }),
  )
})
