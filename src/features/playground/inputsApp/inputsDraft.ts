import { useSessionStorage } from '@mantine/hooks'
import type { FileEntry } from '../../runs/inputs/inputFiles.ts'
import type { FormValues } from '../../runs/inputs/inputFields.ts'

/** The unsent content of the form. */
export interface InputsDraft {
  filled: FormValues
  files: FileEntry[]
  /** Null for the person's default user. */
  user: string | null
  response_mode: 'streaming' | 'blocking'
  /** The run whose inputs were copied, and those inputs. */
  parent: { run_id: string; filled: FormValues } | null
}

const emptyDraft: InputsDraft = { filled: {}, files: [], user: null, response_mode: 'streaming', parent: null }

/** True if the form contains nothing that a person would miss. */
export const isDraftEmpty = ({ filled, files, parent }: InputsDraft): boolean =>
  Object.keys(filled).length === 0 && files.length === 0 && parent === null

/** The inputs of a run as they were edited for the next one, stored until the browser tab closes. */
export const useRunInputsEdits = (app: string) =>
  useSessionStorage<{ run_id: string; draft: InputsDraft } | null>({
    key: `loupe-run-edits:${app}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  })

/** The draft of an app, stored until the browser tab closes. */
export function useInputsDraft(app: string): [InputsDraft, (change: Partial<InputsDraft>) => void] {
  const [draft, setDraft] = useSessionStorage<InputsDraft>({
    key: `loupe-draft:${app}`,
    defaultValue: emptyDraft,
    getInitialValueInEffect: false,
  })
  return [draft, (change) => setDraft((before) => ({ ...before, ...change }))]
}
