import type { Resource } from '#contract/console/resources.ts'
import type { DatasetRecord } from '../useDataset.ts'

/** One dataset of a list. `resource` is what the ledger has of it, null where the platform has listed it. */
export interface DatasetRow {
  id: string
  workspace: string
  name: string | null
  record: DatasetRecord | null
  resource: Resource | null
}
