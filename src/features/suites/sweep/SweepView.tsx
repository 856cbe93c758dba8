import { Button, Checkbox, Flex, Group, Progress, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { batchEndpoints } from '#contract/console/batches.ts'
import {
  MAX_SWEEP_SETTINGS,
  MAX_SWEPT_CASES,
  type Sweep,
  sweepEndpoints,
} from '#contract/console/experiments/sweeps.ts'
import type { Suite } from '#contract/console/suites.ts'
import { getRequiredAccess } from '#contract/permissions.ts'
import { Can } from '../../../client/Can.tsx'
import { useRead, useWrite } from '../../../client/query.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { newRunId } from '../../../client/useRun.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { FieldLabel, useOptionLabel } from '../../../components/forms/FieldLabel.tsx'
import { InlineForm } from '../../../components/forms/InlineForm.tsx'
import { useContractForm } from '../../../components/forms/useContractForm.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { PermissionNote } from '../../../components/layout/PermissionNote.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { BatchPauseNote } from '../../batches/BatchPauseNote.tsx'
import { SEARCH_METHODS } from '../../knowledge/retrieval/RetrievalFields.tsx'
import { toTestModel } from '../../knowledge/retrieval/testSettings.ts'
import { useSuiteDataset } from '../useExperimentDefaults.ts'
import classes from './Sweep.module.css'
import { sweepMessages } from './sweepMessages.ts'
import { SweepResult } from './SweepResult.tsx'
import {
  EMPTY_SWEEP_FORM,
  parseSweepList,
  SWEEP_LIST_FIELDS,
  type SweepForm,
  toSweepValues,
  toTestSettings,
} from './sweepSettings.ts'

const RUNNING_SWEEP_POLL_INTERVAL_MS = 1_000

/** The questions of a suite of retrieval with many settings, as a table and a picture. */
export function SweepView({ suite }: { suite: Suite }) {
  const t = useMessages(sweepMessages)
  const can = usePermission()(sweepEndpoints.startSweep)
  const read = useRead(
    sweepEndpoints.readLastSweep,
    { params: { suite_id: suite.id } },
    { pollIntervalMs: (reply) => (isRunning(reply?.sweep) ? RUNNING_SWEEP_POLL_INTERVAL_MS : false) },
  )
  if (suite.cases === 0) return <EmptyState title={t('noCases')} />
  return (
    <Flex component="section" direction="column" gap="md" px="lg" py="md" aria-label={t('title')}>
      <Text fz="sm" c="dimmed">
        {t('intro')}
      </Text>
      {can ? (
        <NewSweep suite={suite} isRunning={isRunning(read.data?.sweep)} />
      ) : (
        <PermissionNote {...getRequiredAccess(sweepEndpoints.startSweep)} />
      )}
      <ReadBoundary read={read} action={t('readWhat')} loading={<span />}>
        {({ sweep }) => (sweep ? <LastSweep suite={suite} sweep={sweep} /> : null)}
      </ReadBoundary>
    </Flex>
  )
}

const isRunning = (sweep: Sweep | null | undefined): boolean =>
  sweep?.batch.state === 'running' || (sweep?.batch.counts.running ?? 0) > 0

/** The values to try. */
function NewSweep({ suite, isRunning: isDisabled }: { suite: Suite; isRunning: boolean }) {
  const t = useMessages(sweepMessages)
  const toOptionLabel = useOptionLabel()
  const { record, dialect } = useSuiteDataset(suite)
  // The same id again starts nothing twice.
  const [id, setId] = useState(newRunId)
  const start = useWrite(sweepEndpoints.startSweep)
  const form = useContractForm({
    schema: sweepEndpoints.startSweep.body,
    initialValues: EMPTY_SWEEP_FORM,
    toBody: (values) => ({
      id,
      settings: toSweepValues(values)?.map((one) => ({
        ...one,
        retrieval_model: toTestModel(record, toTestSettings(one), dialect) ?? null,
      })),
    }),
    send: (body) => start.mutateAsync({ params: { suite_id: suite.id }, body }),
    onDone: () => setId(newRunId()),
  })
  const values = useWatch({ control: form.form.control }) as SweepForm
  const count = toSweepValues(values)?.length ?? null
  const isTooMany = count !== null && count > MAX_SWEEP_SETTINGS
  const helps: Partial<Record<keyof SweepForm, string>> = { weights: t('weightHelp'), chunk_tokens: t('chunkHelp') }
  const { value: searchMethods, onChange: setSearchMethods } = form.controlled('search_methods')
  return (
    <InlineForm
      form={form}
      label={t('form')}
      action={t('sweepWhat')}
      submitLabel={t('start', { n: count ?? 0 })}
      isSubmitDisabled={isDisabled || count === null || isTooMany}
    >
      <Checkbox.Group
        label={<FieldLabel name="search_method" />}
        value={searchMethods}
        onChange={(methods) => setSearchMethods(methods)}
      >
        <Group gap="lg" pt={4}>
          {SEARCH_METHODS.map((method) => (
            <Checkbox key={method} value={method} label={toOptionLabel(method)} disabled={isDisabled} />
          ))}
        </Group>
      </Checkbox.Group>
      <div className={classes.lists}>
        {SWEEP_LIST_FIELDS.map((field) => (
          <TextInput
            key={field}
            {...form.field(field)}
            label={<FieldLabel name={field === 'chunk_tokens' ? 'max_tokens' : field} />}
            description={helps[field]}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            maxLength={120}
            autoComplete="off"
            disabled={isDisabled}
            error={parseSweepList(field, values[field]) === null ? t(`errors.${field}`) : undefined}
          />
        ))}
      </div>
      <Text fz="sm" c="dimmed">
        {t('listHelp')}
      </Text>
      {isTooMany ? (
        <Text fz="sm" c="dimmed" role="alert">
          {t('tooMany', { n: count, max: MAX_SWEEP_SETTINGS })}
        </Text>
      ) : null}
    </InlineForm>
  )
}

/** The sweep that was started last, by whoever it was: how far it is, and what it has found so far. */
function LastSweep({ suite, sweep }: { suite: Suite; sweep: Sweep }) {
  const t = useMessages(sweepMessages)
  const { batch, settings } = sweep
  const target = { params: { batch_id: batch.id } }
  const cancel = useWrite(batchEndpoints.cancelBatch)
  const resume = useWrite(batchEndpoints.startBatch)
  const done = settings.filter(({ source, problem }) => source !== null || problem !== null).length
  const problem = cancel.error?.problem ?? resume.error?.problem
  const isRefused = batch.pause === 'refused' && batch.problem !== null
  return (
    <>
      <div role="status">
        {isRunning(sweep) ? <Progress value={(done / batch.total) * 100} aria-label={t('title')} mb={6} /> : null}
        <Text fz="sm" c="dimmed">
          {t('progress', { done, total: batch.total })} {batch.person ? t('startedBy', { person: batch.person }) : null}{' '}
          <RelativeTime at={batch.created_at} />
        </Text>
      </div>
      {isRefused && batch.problem ? (
        <ProblemAlert problem={batch.problem} action={t('sweepWhat')} />
      ) : (
        <BatchPauseNote batch={batch} />
      )}
      <Can entry={batchEndpoints.cancelBatch}>
        <Group gap="sm">
          {batch.state === 'paused' ? (
            <Button loading={resume.isPending} onClick={() => resume.mutate({ ...target, body: {} })}>
              {t('resume')}
            </Button>
          ) : null}
          {isRunning(sweep) ? (
            <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(target)}>
              {t('cancel')}
            </Button>
          ) : null}
        </Group>
      </Can>
      {problem ? <ProblemAlert problem={problem} action={t('sweepWhat')} /> : null}
      {done > 0 ? <SweepResult suite={suite} sweep={sweep} /> : null}
      {done > 0 && suite.cases > MAX_SWEPT_CASES ? (
        <Text fz="sm" c="dimmed">
          {t('leftOut', { n: MAX_SWEPT_CASES, all: suite.cases })}
        </Text>
      ) : null}
    </>
  )
}
