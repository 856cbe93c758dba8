import type { Resource } from '#contract/console/resources.ts'
import type { DatasetRecord } from '../useDataset.ts'
import type { z } from 'zod'
import { Dataset } from '#contract/platform/schemas.ts'
import { type ColumnOrder, parseColumnOrder, sortRows, toggleColumnOrder } from '#domain/columnSort.ts'

/** One dataset of a list. `resource` is what the ledger has of it, null where the platform has listed it. */
export interface DatasetRow {
  id: string
  workspace: string
  name: string | null
  record: DatasetRecord | null
  resource: Resource | null
}

/** The platform's last record of a dataset, or null where it was only named. */
export function parseDatasetRecord(resource: Resource): z.output<typeof Dataset> | null {
  const record = Dataset.safeParse(resource.payload)
  return record.success ? record.data : null
}

/** The columns that sort. Neither the platform nor the ledger sorts datasets, so all of them are read for it. */
const DATASET_SORT_COLUMNS = ['name', 'document_count', 'word_count', 'app_count', 'updated_at', 'last_seen'] as const
export type DatasetSortColumn = (typeof DATASET_SORT_COLUMNS)[number]
export type DatasetSort = ColumnOrder<DatasetSortColumn>

/** In the URL: `name`, or `-name` for descending. Null for anything else. */
export const parseDatasetSort = (text: string | undefined): DatasetSort | null =>
  parseColumnOrder(DATASET_SORT_COLUMNS, text)

/** The next sort by a click on a head. Null is the order of the list. */
export const toggleDatasetSort = (sort: DatasetSort | null, column: DatasetSortColumn): string | null =>
  toggleColumnOrder(sort, column, { isText: column === 'name' })

/** Sorted by a column; datasets without the value come last in both directions. */
export const sortDatasets = (rows: readonly DatasetRow[], { column, direction }: DatasetSort): DatasetRow[] =>
  sortRows(rows, direction, ({ name, record, resource }) => {
    if (column === 'name') return name
    if (column === 'last_seen') return resource?.last_seen
    return record?.[column]
  })
