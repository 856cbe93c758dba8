import { useSessionStorage } from '@mantine/hooks'
import type { FileEntry } from '../../run/files.ts'
import type { Filled } from '../../run/inputs.ts'

/** What a replay changes of the run that it replays; what is not in it stands as it was sent. */
export interface Edits {
  query?: string
  filled?: Filled
  files?: FileEntry[]
  user?: string
  mode?: 'streaming' | 'blocking'
}

const NONE: Edits = {}

/** The edits of a run's replay, kept until it is sent, given up, or the browser's tab is closed. */
export function useEdits(run_id: string): [Edits, (change: Edits) => void, () => void] {
  const [edits, setEdits, forget] = useSessionStorage<Edits>({
    key: `loupe-replay:${run_id}`,
    defaultValue: NONE,
    getInitialValueInEffect: false,
  })
  return [edits, (change) => setEdits((before) => ({ ...before, ...change })), forget]
}
