import { useState } from 'react'
import { useNavigate } from 'react-router'
import { DEFAULT_BATCH_LIMITS } from '#contract/console/batches.ts'
import { accessEndpoints } from '#contract/console/access.ts'
import { appParameterEndpoints } from '#contract/platform/appParameters.ts'
import type { Key, Workspace } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { toResponseMode } from '#domain/platformKeys/responseMode.ts'
import { findQuestionTurn } from '#domain/tables/columnNames.ts'
import { toUploadRule } from '../runs/inputs/inputFiles.ts'
import { toInputFields } from '../runs/inputs/inputFields.ts'
import { usePendingUploads } from '../runs/inputs/pendingUploads.ts'
import { useCanPinVersion } from '../runs/version/usePinnedVersion.ts'
import { useRead } from '../../client/query.ts'
import { makeRequestFilesField, makeTurnField } from '../annotations/tableImport/columnMapping.ts'
import { tableImportMessages } from '../annotations/tableImport/messages.ts'
import { useBatchCreation } from '../annotations/tableImport/useBatchCreation.ts'
import { type TableDraft, useImportTable } from '../annotations/tableImport/useImportTable.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { batchMessages } from './messages.ts'
import { truncateText } from '#contract/truncatedText.ts'

/** Questions of a row that are columns; a column with a JSON list of texts may hold more. */
export const MAX_TURN_FIELDS = 20

export interface NewBatchProps {
  workspace: Workspace
  app: Key
  /** The table, which outlasts a change of the app. */
  draft: TableDraft
  onDraft: (draft: TableDraft) => void
}

export type NewBatchState = ReturnType<typeof useNewBatch>

/** A new batch: its table, run options and upload. */
export function useNewBatch({ workspace, app, draft, onDraft }: NewBatchProps) {
  const words = useMessages(tableImportMessages)
  const t = useMessages(batchMessages)
  const navigate = useNavigate()
  const session = useRead(accessEndpoints.session, {})
  const parameters = useRead(appParameterEndpoints.parameters, { key: app.id })
  const rule = toUploadRule(parameters.data)
  const [extraTurns, setExtraTurns] = useState<number | null>(null)
  const [headers, setHeaders] = useState<readonly string[]>([])
  const isChat = app.kind === 'chat'
  const guessedTurns = Math.max(1, ...headers.map((head) => Math.min(findQuestionTurn(head) ?? 1, MAX_TURN_FIELDS)))
  const turns = isChat ? (extraTurns ?? guessedTurns) : 0
  const fields = [
    ...Array.from({ length: turns }, (_, index) =>
      makeTurnField(index + 1, turns === 1 ? t('question') : t('questionOfTurn', { turn: index + 1 })),
    ),
    ...toInputFields(parameters.data),
    ...(rule ? [makeRequestFilesField(rule, words('additionalFiles'))] : []),
  ]
  const [limits, setLimits] = useState(DEFAULT_BATCH_LIMITS)
  const [name, setName] = useState<string | null>(null)
  const [user, setUser] = useState<string | null>(null)
  const canPin = useCanPinVersion(app)
  const [workflow_id, setWorkflowId] = useState<string | null>(null)
  const [chosenMode, setMode] = useState<'streaming' | 'blocking'>('streaming')
  const response_mode = toResponseMode(app, chosenMode)
  const imported = useImportTable({ controls: fields, needsInput: app.kind === 'completion', draft, onDraft })
  const { createBatch, sent, problem } = useBatchCreation(
    imported,
    (batch_id) => void navigate(paths.batch(batch_id, { workspace: workspace.id })),
  )

  const { table, checked, source, isBroken, total } = imported
  if (table && table.heads !== headers) setHeaders(table.heads)
  const batchName = (name ?? source?.name ?? '').trim()
  const uploads = usePendingUploads()
  const batchUser = (user ?? session.data?.person.default_user ?? '').trim()
  const missingField: 'needsUser' | 'needsName' | 'needsFix' | 'uploadsPending' | null =
    batchUser === ''
      ? 'needsUser'
      : batchName === ''
        ? 'needsName'
        : checked && !isBroken && total === 0
          ? 'needsFix'
          : uploads.hasPending
            ? 'uploadsPending'
            : null
  const isReady = total > 0 && missingField === null && sent === null
  const startBatch = (dryRunRows: number | null) =>
    void createBatch({
      kind: 'run',
      key: app.id,
      name: truncateText(batchName, 120),
      settings: { user: batchUser, response_mode, ...(workflow_id === null ? {} : { workflow_id }) },
      bounds: limits,
      dryRunRows,
    })
  return {
    parameters,
    turns: isChat ? { count: turns, setCount: setExtraTurns } : null,
    fields,
    imported,
    limits,
    setLimits,
    name: name ?? source?.name ?? '',
    setName,
    user: user ?? session.data?.person.default_user ?? '',
    setUser,
    batchUser,
    version: { canPin, workflow_id, setWorkflowId },
    response_mode,
    setMode,
    missingField,
    uploads,
    sent,
    problem,
    isReady,
    startBatch,
  }
}
