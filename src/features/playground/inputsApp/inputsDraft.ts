import { useSessionStorage } from '@mantine/hooks'
import type { FileEntry } from '../../runs/inputs/inputFiles.ts'
import type { FormValues } from '../../runs/inputs/inputFields.ts'

/** What stands in the form and is not sent yet. */
export interface InputsDraft {
  filled: FormValues
  files: FileEntry[]
  /** Null while the person's default stands. */
  user: string | null
  response_mode: 'streaming' | 'blocking'
  /** The run whose inputs were taken over, and what they were. */
  parent: { run_id: string; filled: FormValues } | null
}

const emptyDraft: InputsDraft = { filled: {}, files: [], user: null, response_mode: 'streaming', parent: null }

/** Nothing stands in the form that a person would miss. */
export const isDraftEmpty = ({ filled, files, parent }: InputsDraft): boolean =>
  Object.keys(filled).length === 0 && files.length === 0 && parent === null

/** The draft of an app, kept until the browser's tab is closed. */
export function useInputsDraft(app: string): [InputsDraft, (change: Partial<InputsDraft>) => void] {
  const [draft, setDraft] = useSessionStorage<InputsDraft>({
    key: `loupe-draft:${app}`,
    defaultValue: emptyDraft,
    getInitialValueInEffect: false,
  })
  return [draft, (change) => setDraft((before) => ({ ...before, ...change }))]
}
