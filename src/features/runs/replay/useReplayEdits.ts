import { useSessionStorage } from '@mantine/hooks'
import type { FileEntry } from '../inputs/inputFiles.ts'
import type { FormValues } from '../inputs/inputFields.ts'

/** What a replay changes of the run that it replays; what is not in it stands as it was sent. */
export interface ReplayEdits {
  query?: string
  formValues?: FormValues
  files?: FileEntry[]
  user?: string
  mode?: 'streaming' | 'blocking'
}

const NO_EDITS: ReplayEdits = {}

/** The edits of a run's replay, kept until it is sent, given up, or the browser's tab is closed. */
export function useReplayEdits(run_id: string): [ReplayEdits, (change: ReplayEdits) => void, () => void] {
  const [edits, setEdits, discardEdits] = useSessionStorage<ReplayEdits>({
    key: `loupe-replay:${run_id}`,
    defaultValue: NO_EDITS,
    getInitialValueInEffect: false,
  })
  return [edits, (change) => setEdits((before) => ({ ...before, ...change })), discardEdits]
}
