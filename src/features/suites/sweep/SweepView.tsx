import { Button, Checkbox, Flex, Group, Progress, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { predictionEndpoints } from '#contract/console/experiments/predictions.ts'
import type { Suite } from '#contract/console/suites.ts'
import { getRequiredAccess } from '#contract/permissions.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { FieldLabel, useOptionLabel } from '../../../components/forms/FieldLabel.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { PermissionNote } from '../../../components/layout/PermissionNote.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SEARCH_METHODS } from '../../knowledge/retrieval/RetrievalFields.tsx'
import { toTestModel } from '../../knowledge/retrieval/testSettings.ts'
import { useSuiteDataset } from '../useExperimentDefaults.ts'
import classes from './Sweep.module.css'
import { sweepMessages } from './sweepMessages.ts'
import { SweepResult } from './SweepResult.tsx'
import {
  EMPTY_SWEEP_FORM,
  MAX_SWEEP_SETTINGS,
  parseSweepList,
  SWEEP_LIST_FIELDS,
  type SweepListField,
  toSweepSettings,
} from './sweepSettings.ts'
import { MAX_SWEPT_CASES, useSweep } from './useSweep.ts'

/** The names of the fields on the wire. */
const FIELD_NAMES = {
  top_k: 'top_k',
  score_threshold: 'score_threshold',
  vector_weight: 'weights',
  chunk_tokens: 'max_tokens',
} as const satisfies Record<SweepListField, string>

/** The questions of a suite of retrieval with many settings, as a table and a picture. */
export function SweepView({ suite }: { suite: Suite }) {
  const t = useMessages(sweepMessages)
  const toOptionLabel = useOptionLabel()
  const can = usePermission()(predictionEndpoints.predictSuite)
  const { record, dialect } = useSuiteDataset(suite)
  const [form, setForm] = useState(EMPTY_SWEEP_FORM)
  const { state, start, cancel } = useSweep(suite, ({ settings }) => toTestModel(record, settings, dialect) ?? null)
  const settings = toSweepSettings(form)
  const isTooMany = settings !== null && settings.length > MAX_SWEEP_SETTINGS
  const isRunning = state.status === 'running'
  const helps = { vector_weight: t('weightHelp'), chunk_tokens: t('chunkHelp') }
  if (suite.cases === 0) return <EmptyState title={t('noCases')} />
  if (!can) return <PermissionNote {...getRequiredAccess(predictionEndpoints.predictSuite)} />
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (settings && !isTooMany) void start(settings)
  }
  return (
    <Flex component="section" direction="column" gap="md" px="lg" py="md" aria-label={t('title')}>
      <Text fz="sm" c="dimmed">
        {t('intro')}
      </Text>
      <form onSubmit={submit} className={classes.form} aria-label={t('form')}>
        <Checkbox.Group
          label={<FieldLabel name="search_method" />}
          value={[...form.search_methods]}
          onChange={(search_methods) => setForm({ ...form, search_methods })}
        >
          <Group gap="lg" pt={4}>
            {SEARCH_METHODS.map((method) => (
              <Checkbox key={method} value={method} label={toOptionLabel(method)} disabled={isRunning} />
            ))}
          </Group>
        </Checkbox.Group>
        <div className={classes.lists}>
          {SWEEP_LIST_FIELDS.map((field) => (
            <TextInput
              key={field}
              label={<FieldLabel name={FIELD_NAMES[field]} />}
              description={field in helps ? helps[field as keyof typeof helps] : undefined}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              value={form[field]}
              maxLength={120}
              autoComplete="off"
              disabled={isRunning}
              error={parseSweepList(field, form[field]) === null ? t(`errors.${field}`) : undefined}
              onChange={(event) => setForm({ ...form, [field]: event.currentTarget.value })}
            />
          ))}
        </div>
        <Text fz="sm" c="dimmed">
          {t('listHelp')}
        </Text>
        {isTooMany ? (
          <Text fz="sm" c="dimmed" role="alert">
            {t('tooMany', { n: settings.length, max: MAX_SWEEP_SETTINGS })}
          </Text>
        ) : null}
        <Group gap="sm">
          <Button type="submit" loading={isRunning} disabled={settings === null || isTooMany}>
            {t('start', { n: settings?.length ?? 0 })}
          </Button>
          {isRunning ? (
            <Button variant="default" onClick={cancel}>
              {t('cancel')}
            </Button>
          ) : null}
        </Group>
      </form>
      {isRunning ? (
        <div role="status">
          <Progress value={(state.rows.length / Math.max(1, state.total)) * 100} aria-label={t('title')} mb={6} />
          <Text fz="sm" c="dimmed">
            {t('progress', { done: state.rows.length, total: state.total })}
          </Text>
        </div>
      ) : null}
      {state.problem ? <ProblemAlert problem={state.problem} action={t('sweepWhat')} /> : null}
      {state.obstacle ? (
        <Text fz="sm" c="dimmed" role="status">
          {t('noSettings')}
        </Text>
      ) : null}
      {state.rows.length > 0 ? <SweepResult suite={suite} rows={state.rows} isDone={!isRunning} /> : null}
      {state.rows.length > 0 && suite.cases > MAX_SWEPT_CASES ? (
        <Text fz="sm" c="dimmed">
          {t('leftOut', { n: MAX_SWEPT_CASES, all: suite.cases })}
        </Text>
      ) : null}
    </Flex>
  )
}
