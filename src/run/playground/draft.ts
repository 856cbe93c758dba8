import { useSessionStorage } from '@mantine/hooks'
import type { FileEntry } from '../files.ts'
import type { Filled } from '../inputs.ts'

/** What stands in the form and is not sent yet. */
export interface Draft {
  filled: Filled
  files: FileEntry[]
  /** Null while the person's default stands. */
  user: string | null
  response_mode: 'streaming' | 'blocking'
  /** The run whose inputs were taken over, and what they were. */
  parent: { run_id: string; filled: Filled } | null
}

const noDraft: Draft = { filled: {}, files: [], user: null, response_mode: 'streaming', parent: null }

/** Nothing stands in the form that a person would miss. */
export const isUntouched = ({ filled, files, parent }: Draft): boolean =>
  Object.keys(filled).length === 0 && files.length === 0 && parent === null

/** The draft of an app, kept until the browser's tab is closed. */
export function useDraft(app: string): [Draft, (change: Partial<Draft>) => void] {
  const [draft, setDraft] = useSessionStorage<Draft>({
    key: `loupe-draft:${app}`,
    defaultValue: noDraft,
    getInitialValueInEffect: false,
  })
  return [draft, (change) => setDraft((before) => ({ ...before, ...change }))]
}
