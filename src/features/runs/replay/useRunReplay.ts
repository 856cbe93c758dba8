import { type KeyboardEvent, useState } from 'react'
import { isSubmitShortcut } from '../../../components/hooks/modifierKey.ts'
import { useNavigate } from 'react-router'
import { appParameterEndpoints } from '#contract/platform/appParameters.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { toResponseMode } from '#domain/platformKeys/responseMode.ts'
import { listChangedFields } from '../inputs/changedFields.ts'
import { startRun } from '../startRun.ts'
import { useCanPinVersion } from '../version/usePinnedVersion.ts'
import { ANY_FILE_RULE, toFileEntries, findFilesError, toUploadRule, toFileInput } from '../inputs/inputFiles.ts'
import {
  toExtraValues,
  toInputFields,
  type FieldErrors,
  type FormValues,
  toFormValues,
  parseInputs,
} from '../inputs/inputFields.ts'
import { usePendingUploads } from '../inputs/pendingUploads.ts'
import type { Turn } from '../turn.ts'
import { useRead } from '../../../client/query.ts'
import { useReplayEdits } from './useReplayEdits.ts'

export interface RunReplayProps {
  run_id: string
  turn: Turn
  app: Key
  workspace: string
}

/** The request of a run with its edits, and the submit action. */
export function useRunReplay({ run_id, turn, app, workspace }: RunReplayProps) {
  const navigate = useNavigate()
  const { question, entry } = turn
  const parameters = useRead(appParameterEndpoints.parameters, { key: app.id })
  const fields = toInputFields(parameters.data)
  const before: FormValues = { ...toFormValues(fields, question.inputs), ...toExtraValues(fields, question.inputs) }
  const sentFiles = question.body.files ? toFileEntries(question.body.files) : []
  const [edits, edit, forget] = useReplayEdits(run_id)
  const { query = question.query, user = question.user, files = sentFiles } = edits
  const mode = toResponseMode(app, edits.mode ?? question.response_mode)
  const { workflow_id = question.pinned_workflow_id } = edits
  const canPin = useCanPinVersion(app)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [missingField, setMissingField] = useState<'needsQuery' | 'needsUser' | 'needsInput' | null>(null)
  const formValues = edits.formValues ?? before
  const rule = toUploadRule(parameters.data) ?? (sentFiles.length > 0 ? ANY_FILE_RULE : null)
  const changed = listChangedFields(fields, before, formValues)
  const isChat = entry === 'chat.send'
  const uploads = usePendingUploads()

  const send = () => {
    if (uploads.refuseSend()) return
    const { inputs, errors: parsedInputs } = parseInputs(fields, formValues)
    const isEmpty = entry === 'completion.send' && Object.keys(inputs).length === 0
    const missing =
      isChat && query.trim() === '' ? 'needsQuery' : user.trim() === '' ? 'needsUser' : isEmpty ? 'needsInput' : null
    setErrors(parsedInputs)
    setMissingField(missing)
    if (Object.keys(parsedInputs).length > 0 || missing || (rule && findFilesError(rule, files))) return
    const { files: _files, ...keptBody } = question.body
    const body = {
      ...keptBody,
      ...(isChat ? { query } : {}),
      ...(files.length > 0 ? { files: files.map(toFileInput) } : {}),
      inputs,
      user: user.trim(),
      response_mode: mode,
    }
    const origin = { kind: 'replay', id: null } as const
    const id = startRun(entry, { key: app.id, body, parent: run_id, workflow_id, origin })
    forget()
    void navigate(paths.run(id, { workspace }))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSubmitShortcut(event)) return
    event.preventDefault()
    send()
  }
  return {
    parameters,
    fields,
    formValues,
    changed,
    errors,
    missingField,
    isChat,
    query,
    user,
    mode,
    rule,
    files,
    areFilesChanged: JSON.stringify(files) !== JSON.stringify(sentFiles),
    version: {
      canPin: canPin || question.pinned_workflow_id !== null,
      workflow_id,
      setWorkflowId: (next: string | null) => edit({ workflow_id: next }),
    },
    uploads,
    upload: app.offers.includes('uploadFile') ? { key: app.id, user: user.trim() } : null,
    edit,
    editInputs: (next: FormValues) => {
      edit({ formValues: next })
      setErrors({})
      setMissingField(null)
    },
    forget,
    send,
    onKeyDown,
  }
}
