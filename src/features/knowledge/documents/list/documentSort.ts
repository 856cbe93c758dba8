import { type ColumnOrder, parseColumnOrder, sortRows, toggleColumnOrder } from '#domain/columnSort.ts'
import { type DocumentRecord, getDocumentState } from '#domain/documentRecord.ts'

/** The columns that sort; the platform lists the newest first and cannot sort. */
export const SORT_COLUMNS = ['name', 'state', 'word_count', 'tokens', 'hit_count', 'created_at', 'updated_at'] as const
export type SortColumn = (typeof SORT_COLUMNS)[number]
export type DocumentSort = ColumnOrder<SortColumn>

/** In the URL: `name`, or `-name` for descending. Null for anything else. */
export const parseDocumentSort = (text: string | undefined): DocumentSort | null => parseColumnOrder(SORT_COLUMNS, text)

/** The next sort by a click on a head. Null is the platform's order. */
export const toggleSort = (sort: DocumentSort | null, column: SortColumn): string | null =>
  toggleColumnOrder(sort, column, { isText: column === 'name' || column === 'state' })

/** Sorted by a column; documents without the value come last in both directions. */
export const sortDocuments = (
  documents: readonly DocumentRecord[],
  { column, direction }: DocumentSort,
  getUpdatedAt: (document: DocumentRecord) => number | null,
): DocumentRecord[] =>
  sortRows(documents, direction, (document) => {
    if (column === 'state') return getDocumentState(document)
    if (column === 'updated_at') return getUpdatedAt(document)
    return document[column]
  })
