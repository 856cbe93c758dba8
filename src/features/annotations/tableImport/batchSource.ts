import { BatchSource } from '#contract/console/batches.ts'
import { type ColumnMapping, getTurnOfField, REQUEST_FILES_FIELD } from './columnMapping.ts'
import type { TableRead } from './tableWorkerMessages.ts'
import { truncateText } from '#contract/truncatedText.ts'

/** What the server keeps of the file, for an export with its own columns; null for a table beyond the limits of that. */
export function toBatchSource(
  name: string,
  { heads, rows }: Pick<TableRead, 'heads' | 'rows'>,
  mapping: ColumnMapping,
): BatchSource | null {
  const targets = new Map(
    Object.entries(mapping).flatMap(([variable, origin]) => ('column' in origin ? [[origin.column, variable]] : [])),
  )
  const source = BatchSource.safeParse({
    name: truncateText(name, 255),
    rows,
    columns: heads.map((head, index) => ({ name: head, target: toTarget(targets.get(index)) })),
  })
  return source.success ? source.data : null
}

function toTarget(variable: string | undefined): BatchSource['columns'][number]['target'] {
  if (variable === undefined) return null
  if (variable === REQUEST_FILES_FIELD) return 'files'
  const turn = getTurnOfField(variable)
  return turn === null ? { input: variable } : { turn }
}
