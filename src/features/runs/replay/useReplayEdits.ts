import { useSessionStorage } from '@mantine/hooks'
import type { FileEntry } from '../inputs/inputFiles.ts'
import type { FormValues } from '../inputs/inputFields.ts'

/** The changes of a replay; a missing field is sent unchanged. */
export interface ReplayEdits {
  query?: string
  formValues?: FormValues
  files?: FileEntry[]
  user?: string
  mode?: 'streaming' | 'blocking'
  /** Null for the current version. */
  workflow_id?: string | null
}

const getStorageKey = (run_id: string) => `loupe-replay:${run_id}`
const NO_EDITS: ReplayEdits = {}

/** The edits of a replay, stored until it is sent, discarded, or the browser tab closes. */
export function useReplayEdits(run_id: string): [ReplayEdits, (change: ReplayEdits) => void, () => void] {
  const [edits, setEdits, discardEdits] = useSessionStorage<ReplayEdits>({
    key: getStorageKey(run_id),
    defaultValue: NO_EDITS,
    getInitialValueInEffect: false,
  })
  return [edits, (change) => setEdits((before) => ({ ...before, ...change })), discardEdits]
}

/** Stores the edits of a replay that is not open. */
export const saveReplayEdits = (run_id: string, edits: ReplayEdits): void =>
  sessionStorage.setItem(getStorageKey(run_id), JSON.stringify(edits))
