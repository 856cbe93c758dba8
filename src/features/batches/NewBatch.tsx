import { Button, TextInput } from '@mantine/core'
import { IconFlask, IconMinus, IconPlayerPlay, IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Key } from '#contract/console/workspaces.ts'
import { runMessages } from '../runs/detail/messages.ts'
import { VersionSelect } from '../runs/version/VersionSelect.tsx'
import { PendingUploadsContext } from '../runs/inputs/pendingUploads.ts'
import { ResponseModeControl } from '../runs/inputs/ResponseModeControl.tsx'
import { DisabledFieldset } from '../../components/forms/DisabledFieldset.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { BatchLimitFields } from './BatchLimitFields.tsx'
import { CheckResult } from '../annotations/tableImport/CheckResult.tsx'
import { MappingFields } from '../annotations/tableImport/MappingFields.tsx'
import classes from '../annotations/tableImport/TableImport.module.css'
import { tableImportMessages } from '../annotations/tableImport/messages.ts'
import { TableSource } from '../annotations/tableImport/TableSource.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { batchMessages } from './messages.ts'
import { MAX_TURN_FIELDS, type NewBatchProps, type NewBatchState, useNewBatch } from './useNewBatch.ts'

/** Rows of a dry run. */
const DRY_RUN_ROWS = 3

/** A new batch: table, columns, validation, speed. */
export function NewBatch(props: NewBatchProps) {
  const { app } = props
  const words = useMessages(tableImportMessages)
  const batch = useNewBatch(props)
  const { parameters, fields, imported, batchUser, problem } = batch
  const { table } = imported
  return (
    <div className={classes.page}>
      <DisabledFieldset isDisabled={batch.sent !== null}>
        <NewBatchSection title={words('table')}>
          <TableSource {...imported} />
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
                  <>
                    <PendingUploadsContext value={batch.uploads.note}>
                      <MappingFields
                        fields={fields}
                        imported={imported}
                        upload={app.offers.includes('uploadFile') ? { key: app.id, user: batchUser } : null}
                      />
                    </PendingUploadsContext>
                    {batch.turns ? <TurnCount {...batch.turns} /> : null}
                  </>
                )}
              </NewBatchSection>
            ) : null}
            <NewBatchSection title={words('check')}>
              <CheckResult {...imported} />
            </NewBatchSection>
            <BatchSettings app={app} batch={batch} />
          </>
        ) : null}
      </DisabledFieldset>
      {table ? (
        <>
          {problem ? (
            <ProblemAlert problem={problem} action={words('uploadWhat')}>
              <span>{words('uploadAgain')}</span>
            </ProblemAlert>
          ) : null}
          <NewBatchFooter batch={batch} />
        </>
      ) : null}
    </div>
  )
}

/** How many questions a row has: each row is one conversation. */
function TurnCount({ count, setCount }: { count: number; setCount: (count: number) => void }) {
  const t = useMessages(batchMessages)
  return (
    <div className={classes.turns}>
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
      <p className={classes.why}>{t('turnsWhy')}</p>
    </div>
  )
}

function BatchSettings({ app, batch }: { app: Key; batch: NewBatchState }) {
  const t = useMessages(batchMessages)
  const run = useMessages(runMessages)
  const { name, setName, user, setUser, response_mode, setMode, limits, setLimits } = batch
  return (
    <NewBatchSection title={t('pace')}>
      <div className={classes.names}>
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
    </NewBatchSection>
  )
}

function NewBatchFooter({ batch }: { batch: NewBatchState }) {
  const t = useMessages(batchMessages)
  const words = useMessages(tableImportMessages)
  const { imported, sent, missingField, isReady, startBatch } = batch
  const { total } = imported
  return (
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
