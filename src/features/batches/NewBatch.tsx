import { Button, TextInput } from '@mantine/core'
import { IconFlask, IconPlayerPlay } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import type { BatchLimits } from '#contract/console/batches.ts'
import type { Key, Workspace } from '#contract/console/consoleEndpoints.ts'
import { contract } from '#contract/index.ts'
import { paths } from '#domain/paths.ts'
import { toUploadRule } from '../runs/inputs/inputFiles.ts'
import { toInputFields } from '../runs/inputs/inputFields.ts'
import { runMessages } from '../runs/detail/messages.ts'
import { ResponseModeControl } from '../runs/inputs/ResponseModeControl.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useRead } from '../../client/query.ts'
import { BatchLimitFields } from './BatchLimitFields.tsx'
import { CheckResult } from '../annotations/tableImport/CheckResult.tsx'
import { MappingFields } from '../annotations/tableImport/MappingFields.tsx'
import classes from '../annotations/tableImport/TableImport.module.css'
import { makeRequestFilesField } from '../annotations/tableImport/columnMapping.ts'
import { tableImportMessages } from '../annotations/tableImport/messages.ts'
import { TableSource } from '../annotations/tableImport/TableSource.tsx'
import { useBatchCreation } from '../annotations/tableImport/useBatchCreation.ts'
import { useImportTable } from '../annotations/tableImport/useImportTable.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { batchMessages } from './messages.ts'

const DEFAULT_BATCH_LIMITS: BatchLimits = { at_once: 4, per_minute: null, max_rows: null, max_tokens: null }
/** Rows of a dry run. */
const DRY_RUN_ROWS = 3

/** A batch in the making: the table, its columns, the check of all its rows, the pace. */
export function NewBatch({ workspace, app }: { workspace: Workspace; app: Key }) {
  const t = useMessages(batchMessages)
  const words = useMessages(tableImportMessages)
  const run = useMessages(runMessages)
  const navigate = useNavigate()
  const session = useRead(contract.console.session, {})
  const parameters = useRead(contract.workflows.parameters, { key: app.id })
  const rule = toUploadRule(parameters.data)
  const fields = [
    ...toInputFields(parameters.data),
    ...(rule ? [makeRequestFilesField(rule, words('additionalFiles'))] : []),
  ]
  const [skipsInvalidRows, setSkipsInvalidRows] = useState(false)
  const [limits, setLimits] = useState(DEFAULT_BATCH_LIMITS)
  const [name, setName] = useState<string | null>(null)
  const [user, setUser] = useState<string | null>(null)
  const [response_mode, setMode] = useState<'streaming' | 'blocking'>('streaming')
  const currentUpload = useImportTable({
    controls: fields,
    needsInput: app.kind === 'completion',
  })
  const {
    make: createBatch,
    sent,
    problem,
  } = useBatchCreation(
    currentUpload.thread,
    (batch_id) => void navigate(paths.batch(batch_id, { workspace: workspace.id })),
  )

  const { table, checked, source, mapping } = currentUpload
  const isBroken = table?.errors.some(({ row }) => row === undefined) ?? true
  const total = checked && !isBroken && (checked.invalidRows === 0 || skipsInvalidRows) ? checked.validRows : 0
  const batchName = (name ?? source?.name ?? '').trim()
  const batchUser = (user ?? session.data?.person.default_user ?? '').trim()
  const missingField = batchUser === '' ? 'needsUser' : batchName === '' ? 'needsName' : null
  const isReady = total > 0 && missingField === null && sent === null
  const startBatch = (dryRunRows: number | null) =>
    void createBatch(
      {
        kind: 'run',
        key: app.id,
        name: batchName.slice(0, 120),
        total,
        settings: { user: batchUser, response_mode },
        bounds: limits,
        dryRunRows,
        sourceKey: JSON.stringify([source?.version, mapping, skipsInvalidRows, batchUser, response_mode]),
      },
      skipsInvalidRows,
    )
  return (
    <div className={classes.page}>
      <NewBatchSection title={words('table')}>
        <TableSource
          {...currentUpload}
          onLoad={currentUpload.load}
          onEncoding={currentUpload.recode}
          onDrop={currentUpload.drop}
        />
      </NewBatchSection>
      {table ? (
        <>
          {table.rows > 0 ? (
            <NewBatchSection title={words('columns')}>
              {parameters.error && !parameters.data ? (
                <ProblemAlert
                  problem={parameters.error.problem}
                  title={words('noParameters', { reason: parameters.error.problem.message })}
                  onRetry={() => void parameters.refetch()}
                />
              ) : (
                <MappingFields
                  fields={fields}
                  table={table}
                  mapping={mapping}
                  upload={app.offers.includes('uploadFile') ? { key: app.id, user: batchUser } : null}
                  onSource={currentUpload.choose}
                />
              )}
            </NewBatchSection>
          ) : null}
          <NewBatchSection title={words('check')}>
            <CheckResult
              table={table}
              checked={checked}
              skipsInvalid={skipsInvalidRows}
              onSkipInvalid={setSkipsInvalidRows}
            />
          </NewBatchSection>
          <NewBatchSection title={t('pace')}>
            <div className={classes.names}>
              <TextInput
                label={t('batchName')}
                maxLength={120}
                value={name ?? source?.name ?? ''}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              <TextInput
                label={run('user')}
                maxLength={255}
                value={user ?? session.data?.person.default_user ?? ''}
                onChange={(event) => setUser(event.currentTarget.value)}
              />
              <ResponseModeControl value={response_mode} onChange={setMode} />
            </div>
            <BatchLimitFields limits={limits} onLimits={setLimits} />
          </NewBatchSection>
          {problem ? (
            <ProblemAlert problem={problem} action={words('uploadWhat')}>
              <span>{words('uploadAgain')}</span>
            </ProblemAlert>
          ) : null}
          <div className={classes.foot}>
            <p role="status">
              {sent !== null
                ? words('sending', { sent, total })
                : missingField
                  ? t(missingField)
                  : total > DRY_RUN_ROWS
                    ? t('dryWhy')
                    : ''}
            </p>
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
          </div>
        </>
      ) : null}
    </div>
  )
}

function NewBatchSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
