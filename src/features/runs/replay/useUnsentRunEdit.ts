import { useNavigate } from 'react-router'
import { appParameterEndpoints } from '#contract/platform/appParameters.ts'
import { paths } from '#domain/paths.ts'
import { useRead } from '../../../client/query.ts'
import { runStore } from '../../../client/useRun.ts'
import { JSON_VIEW_KEY, toFieldView, toInputFields } from '../inputs/inputFields.ts'
import { toFileEntries } from '../inputs/inputFiles.ts'
import type { Turn } from '../turn.ts'
import { saveReplayEdits } from './useReplayEdits.ts'

export interface UnsentRun {
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
