import { useSessionStorage } from '@mantine/hooks'
import { useNavigate } from 'react-router'
import { appParameterEndpoints } from '#contract/platform/appParameters.ts'
import { paths } from '#domain/paths.ts'
import { useRead } from '../../../client/query.ts'
import { runStore } from '../../../client/useRun.ts'
import { type FormValues, JSON_VIEW_KEY, toFieldView, toInputFields } from '../inputs/inputFields.ts'
import { type FileEntry, toFileEntries } from '../inputs/inputFiles.ts'
import type { Turn } from '../turn.ts'

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
const saveReplayEdits = (run_id: string, edits: ReplayEdits): void =>
  sessionStorage.setItem(getStorageKey(run_id), JSON.stringify(edits))

interface UnsentRun {
  turn: Turn
  /** The id of the key, and of its workspace. */
  app: string | undefined
  workspace: string | undefined
  parent: string | null
}

/** Removes a run that was not sent. Its request is edited in the replay of its parent, if it has one. */
export function useUnsentRunEdit({ turn, app, workspace, parent }: UnsentRun): () => void {
  const navigate = useNavigate()
  const isReplay = turn.state === 'unsent' && parent !== null
  const parameters = useRead(appParameterEndpoints.parameters, { key: app }, { enabled: isReplay && app !== undefined })
  return () => {
    const { query, user, inputs, response_mode: mode, pinned_workflow_id: workflow_id, body } = turn.question
    if (parent !== null) {
      const json = { [JSON_VIEW_KEY]: JSON.stringify(inputs, null, 2) }
      const formValues = (parameters.data && toFieldView(toInputFields(parameters.data), json)) ?? json
      const files = body.files ? toFileEntries(body.files) : []
      saveReplayEdits(parent, { query, formValues, files, user, mode, workflow_id })
    }
    runStore.remove(turn.run_id)
    void navigate(parent === null ? paths.runs({ workspace }) : paths.run(parent, { workspace, replay: '1' }))
  }
}
