import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { IconFlask, IconMinus, IconPlayerPlay, IconPlus } from '@tabler/icons-react'
import { paths } from '#domain/paths.ts'
import { getRequiredAccess } from '#contract/permissions.ts'
import { batchEndpoints, DEFAULT_BATCH_LIMITS } from '#contract/console/batches.ts'
import type { Key, Workspace } from '#contract/console/workspaces.ts'
import { accessEndpoints } from '#contract/console/access.ts'
import { appParameterEndpoints } from '#contract/platform/appParameters.ts'
import { toResponseMode } from '#domain/platformKeys/responseMode.ts'
import { findQuestionTurn } from '#domain/tables/columnNames.ts'
import { truncateText } from '#contract/truncatedText.ts'
import { EMPTY_TABLE_DRAFT, type TableDraft, useImportTable } from '../annotations/tableImport/useImportTable.ts'
import { NoApp } from '../playground/inputsApp/NoApp.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { batchMessages } from './messages.ts'
import { Can } from '../../client/Can.tsx'
import { PermissionNote } from '../../components/layout/PermissionNote.tsx'
import { runMessages } from '../runs/detail/messages.ts'
import { VersionSelect } from '../runs/version/VersionSelect.tsx'
import { PendingUploadsContext, usePendingUploads } from '../runs/inputs/pendingUploads.ts'
import { ResponseModeControl } from '../runs/inputs/ResponseModeControl.tsx'
import fields from '../../components/forms/Fields.module.css'
import { DisabledFieldset } from '../../components/forms/DisabledFieldset.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { BatchLimitFields } from './BatchLimitFields.tsx'
import { CheckResult } from '../annotations/tableImport/CheckResult.tsx'
import { MappingFields } from '../annotations/tableImport/MappingFields.tsx'
import { ImportFooter, ImportStep } from '../annotations/tableImport/ImportStep.tsx'
import { tableImportMessages } from '../annotations/tableImport/messages.ts'
import { TableSource } from '../annotations/tableImport/TableSource.tsx'
import { toUploadRule } from '../runs/inputs/inputFiles.ts'
import { toInputFields } from '../runs/inputs/inputFields.ts'
import { useCanPinVersion } from '../runs/version/usePinnedVersion.ts'
import { useRead } from '../../client/query.ts'
import { makeRequestFilesField, makeTurnField } from '../annotations/tableImport/columnMapping.ts'
import { useBatchCreation } from '../annotations/tableImport/useBatchCreation.ts'

/** `/batches/new?app=`: a new batch of a chat, completion or workflow app. */
export function NewBatchPage() {
  const t = useMessages(batchMessages)
  const currentWorkspace = useWorkspace()
  const { get, set } = useSearchParamState()
  const [draft, setDraft] = useState(EMPTY_TABLE_DRAFT)
  const { workspace } = currentWorkspace
  const apps = [
    ...currentWorkspace.getKeys('chat'),
    ...currentWorkspace.getKeys('completion'),
    ...currentWorkspace.getKeys('workflow'),
  ]
  const app = apps.find(({ id }) => id === get('app')) ?? apps[0]
  if (!workspace || !app)
    return (
      <NoApp
        title={t('new')}
        currentWorkspace={currentWorkspace}
        keyKinds={['completion', 'workflow']}
        problemContext={t('listWorkspaces')}
        emptyTitle={t(workspace ? 'noApp' : 'noWorkspace')}
        emptyText={workspace ? t('noAppWhy', { workspace: workspace.name }) : t('noWorkspaceText')}
      />
    )
  return (
    <Page
      title={t('new')}
      breadcrumbs={
        <>
          <Link to={paths.batches({ workspace: workspace.id })}>{t('title')}</Link>
          <span>/</span>
        </>
      }
      titleSuffix={
        <NativeSelect
          aria-label={t('app')}
          value={app.id}
          data={apps.map(({ id, label }) => ({ value: id, label }))}
          onChange={(event) => set({ app: event.currentTarget.value }, { replace: true })}
        />
      }
    >
      <title>{`${t('new')} · Loupe`}</title>
      <Can
        entry={batchEndpoints.createBatch}
        fallback={<PermissionNote {...getRequiredAccess(batchEndpoints.createBatch)} />}
      >
        <NewBatch key={app.id} workspace={workspace} app={app} draft={draft} onDraft={setDraft} />
      </Can>
    </Page>
  )
}

const DRY_RUN_ROWS = 3

/** A new batch: table, columns, validation, speed. */
function NewBatch(props: NewBatchProps) {
  const { app } = props
  const words = useMessages(tableImportMessages)
  const batch = useNewBatch(props)
  const { parameters, imported, batchUser } = batch
  const { table } = imported
  return (
    <Stack gap="xl" maw={1000} p="lg">
      <DisabledFieldset isDisabled={batch.sent !== null}>
        <ImportStep title={words('table')}>
          <TableSource {...imported} />
        </ImportStep>
        {table ? (
          <>
            {table.rows > 0 ? (
              <ImportStep title={words('columns')}>
                {parameters.error && !parameters.data ? (
                  <ProblemAlert
                    problem={parameters.error.problem}
                    title={words('noParameters', { reason: parameters.error.problem.message })}
                    onRetry={() => void parameters.refetch()}
                  />
                ) : (
                  <>
                    <PendingUploadsContext value={batch.uploads.note}>
                      <MappingFields
                        fields={batch.fields}
                        imported={imported}
                        upload={app.offers.includes('uploadFile') ? { key: app.id, user: batchUser } : null}
                      />
                    </PendingUploadsContext>
                    {batch.turns ? <TurnCount {...batch.turns} /> : null}
                  </>
                )}
              </ImportStep>
            ) : null}
            <ImportStep title={words('check')}>
              <CheckResult {...imported} />
            </ImportStep>
            <BatchSettings app={app} batch={batch} />
          </>
        ) : null}
      </DisabledFieldset>
      {table ? <NewBatchFooter batch={batch} /> : null}
    </Stack>
  )
}

/** How many questions a row has: each row is one conversation. */
function TurnCount({ count, setCount }: { count: number; setCount: (count: number) => void }) {
  const t = useMessages(batchMessages)
  return (
    <Group gap="md">
      <Button
        variant="default"
        leftSection={<IconPlus size={14} />}
        disabled={count >= MAX_TURN_FIELDS}
        onClick={() => setCount(count + 1)}
      >
        {t('addTurn')}
      </Button>
      {count > 1 ? (
        <Button variant="default" leftSection={<IconMinus size={14} />} onClick={() => setCount(count - 1)}>
          {t('removeTurn')}
        </Button>
      ) : null}
      <Text fz="sm" c="dimmed">
        {t('turnsWhy')}
      </Text>
    </Group>
  )
}

function BatchSettings({ app, batch }: { app: Key; batch: NewBatchState }) {
  const t = useMessages(batchMessages)
  const run = useMessages(runMessages)
  const { name, setName, user, setUser, response_mode, setMode, limits, setLimits } = batch
  return (
    <ImportStep title={t('pace')}>
      <div className={fields.row}>
        <TextInput
          label={t('batchName')}
          maxLength={120}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label={run('user')}
          maxLength={255}
          value={user}
          onChange={(event) => setUser(event.currentTarget.value)}
        />
        <ResponseModeControl value={response_mode} onChange={setMode} apps={[app]} />
      </div>
      <VersionSelect app={app.id} version={batch.version} />
      <BatchLimitFields limits={limits} onLimits={setLimits} />
    </ImportStep>
  )
}

function NewBatchFooter({ batch }: { batch: NewBatchState }) {
  const t = useMessages(batchMessages)
  const words = useMessages(tableImportMessages)
  const { imported, sent, problem, missingField, isReady, startBatch } = batch
  const { total } = imported
  return (
    <ImportFooter
      problem={problem}
      note={
        sent !== null
          ? words('sending', { sent, total })
          : missingField
            ? t(missingField)
            : total > DRY_RUN_ROWS
              ? t('dryWhy')
              : ''
      }
    >
      <Button
        data-once
        variant={total > DRY_RUN_ROWS ? 'default' : 'filled'}
        leftSection={<IconPlayerPlay size={14} />}
        disabled={!isReady}
        onClick={() => startBatch(null)}
      >
        {t('runAll', { n: total })}
      </Button>
      {total > DRY_RUN_ROWS ? (
        <Button
          data-once
          leftSection={<IconFlask size={14} />}
          disabled={!isReady}
          onClick={() => startBatch(DRY_RUN_ROWS)}
        >
          {t('dryRun', { n: DRY_RUN_ROWS })}
        </Button>
      ) : null}
    </ImportFooter>
  )
}

/** Questions of a row that are columns; a column with a JSON list of texts may hold more. */
const MAX_TURN_FIELDS = 20

interface NewBatchProps {
  workspace: Workspace
  app: Key
  /** The table, which outlasts a change of the app. */
  draft: TableDraft
  onDraft: (draft: TableDraft) => void
}

type NewBatchState = ReturnType<typeof useNewBatch>

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
  const inputFields = [
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
  const imported = useImportTable({ controls: inputFields, needsInput: app.kind === 'completion', draft, onDraft })
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
    fields: inputFields,
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
