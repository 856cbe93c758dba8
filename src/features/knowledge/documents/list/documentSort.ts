import { type DocumentRecord, getDocumentState } from '#domain/documentRecord.ts'

/** The columns that sort; the platform lists the newest first and cannot sort. */
export const SORT_COLUMNS = ['name', 'state', 'word_count', 'tokens', 'hit_count', 'created_at', 'updated_at'] as const
export type SortColumn = (typeof SORT_COLUMNS)[number]

export interface DocumentSort {
  column: SortColumn
  direction: 'ascending' | 'descending'
}

/** In the URL: `name`, or `-name` for descending. Null for anything else. */
export function parseDocumentSort(text: string | undefined): DocumentSort | null {
  const column = SORT_COLUMNS.find((one) => one === text?.replace(/^-/, ''))
  return column ? { column, direction: text?.startsWith('-') ? 'descending' : 'ascending' } : null
}

/** The next sort by a click on a head: numbers and times begin with the largest. Null is the platform's order. */
export function toggleSort(sort: DocumentSort | null, column: SortColumn): string | null {
  const isText = column === 'name' || column === 'state'
  const [first, second] = isText ? [column, `-${column}`] : [`-${column}`, column]
  if (sort?.column !== column) return first
  const isFirst = (sort.direction === 'ascending') === isText
  return isFirst ? second : null
}

const NAME_ORDER = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

type SortValue = string | number | null | undefined

/** Sorted by a column; documents without the value come last in both directions. */
export function sortDocuments(
  documents: readonly DocumentRecord[],
  { column, direction }: DocumentSort,
  getUpdatedAt: (document: DocumentRecord) => number | null,
): DocumentRecord[] {
  const toValue = (document: DocumentRecord): SortValue => {
    if (column === 'state') return getDocumentState(document)
    if (column === 'updated_at') return getUpdatedAt(document)
    return document[column]
  }
  const sign = direction === 'ascending' ? 1 : -1
  return documents
    .map((document) => ({ document, value: toValue(document) }))
    .sort(({ value: one }, { value: other }) => {
      if (one == null || other == null) return Number(one == null) - Number(other == null)
      return sign * (typeof one === 'number' && typeof other === 'number' ? one - other : compareTexts(one, other))
    })
    .map(({ document }) => document)
}

const compareTexts = (one: string | number, other: string | number): number =>
  NAME_ORDER.compare(String(one), String(other))
