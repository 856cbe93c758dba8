import type { Key } from '#contract/console/consoleEndpoints.ts'
import type { InputsEntryName } from '../../runs/runEntries.ts'

/** What each view of an app's history is drawn from. */
export interface AppHistoryProps {
  entry: InputsEntryName
  workspace: string
  app: Key
  /** The run whose output is shown. */
  selected: string | null
  /** Where a run of the list is shown. */
  getLink: (run_id: string) => string
}
