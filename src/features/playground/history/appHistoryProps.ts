import type { Key } from '#contract/console/workspaces.ts'
import type { InputsEntryName } from '../../runs/runEntries.ts'

/** Props of each view of an app's history. */
export interface AppHistoryProps {
  entry: InputsEntryName
  workspace: string
  app: Key
  /** The run whose output is shown. */
  selected: string | null
  /** The URL that shows a run of the list. */
  getLink: (run_id: string) => string
}
