import { Box, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useWatch } from 'react-hook-form'
import { Link } from 'react-router'
import { z } from 'zod'
import type { EndpointBody } from '#contract/endpoint.ts'
import { type Suite, suiteEndpoints, type CaseExpectation } from '#contract/console/suites.ts'
import { paths } from '#domain/paths.ts'
import { Can } from '../../../client/Can.tsx'
import { useRead, useWrite } from '../../../client/query.ts'
import { InlineForm } from '../../../components/forms/InlineForm.tsx'
import { useContractForm } from '../../../components/forms/useContractForm.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { useExperimentStart } from './useExperimentStart.ts'
import { retrievalMessages } from './messages.ts'
import blocks from '../../../components/layout/Blocks.module.css'

export type ExperimentRun = Pick<
  EndpointBody<typeof suiteEndpoints.createExperiment>,
  'key' | 'user' | 'inputs' | 'retrieval_model'
>

interface DatasetSuitesProps {
  dataset_id: string
  workspace: string
  /** How an experiment runs: with the settings of the test, or through the app of the test; null without permission. */
  runWith: ExperimentRun | null
  pendingCase: PendingCase | null
  onAdded: () => void
}

const MAX_SUITES = 50
const POLL_INTERVAL_MS = 1_500

/** The suites of a dataset: their last figures, a new experiment, and adding the current question. */
export function DatasetSuites(props: DatasetSuitesProps) {
  const { dataset_id, workspace, runWith, pendingCase, onAdded } = props
  const t = useMessages(retrievalMessages)
  const read = useRead(
    suiteEndpoints.listSuites,
    { query: { workspace, target: 'retrieval', about: dataset_id, limit: MAX_SUITES } },
    {
      pollIntervalMs: (reply) =>
        reply?.data.some(({ last }) => last?.batch.state === 'running') ? POLL_INTERVAL_MS : false,
    },
  )
  const suites = read.data?.data ?? []
  return (
    <Stack component="section" gap="md" fz={13} aria-label={t('suites')}>
      <Text component="h2" fw={600}>
        {t('suites')}
      </Text>
      {pendingCase ? (
        <AddToSuite key={JSON.stringify(pendingCase)} {...{ dataset_id, workspace, suites, pendingCase, onAdded }} />
      ) : null}
      <ReadBoundary
        read={read}
        action={t('suitesWhat')}
        loading={null}
        isEmpty={({ data }) => data.length === 0}
        empty={
          pendingCase ? null : (
            <Text maw="70ch" fz={13} c="dimmed">
              {t('noSuites')}
            </Text>
          )
        }
      >
        {({ data }) => (
          <Box component="ul" className={blocks.lined} maw={860}>
            {data.map((suite) => (
              <SuiteItem key={suite.id} suite={suite} runWith={runWith} />
            ))}
          </Box>
        )}
      </ReadBoundary>
    </Stack>
  )
}

function SuiteItem({ suite, runWith }: { suite: Suite } & Pick<DatasetSuitesProps, 'runWith'>) {
  const t = useMessages(retrievalMessages)
  const create = useExperimentStart(suite)
  const { last } = suite
  const isRunning = last?.batch.state === 'running'
  return (
    <Group component="li" py="sm" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
      <Box
        component={Link}
        to={paths.suite(suite.id, { workspace: suite.workspace })}
        flex="1 1 160px"
        fw={550}
        style={{ overflowWrap: 'anywhere' }}
      >
        {suite.name}
      </Box>
      <span>{t('caseCount', { n: suite.cases })}</span>
      {last ? (
        <span role="status">
          {isRunning
            ? t('running', {
                done: last.batch.total - last.batch.counts.waiting - last.batch.counts.running,
                all: last.batch.total,
              })
            : t('lastFigures', {
                pass: last.outcomes.pass,
                all: last.batch.total,
                mrr: last.metrics.mrr?.toFixed(2) ?? t('notGiven'),
              })}
        </span>
      ) : (
        <span>{t('notRun')}</span>
      )}
      {runWith ? (
        <Can entry={suiteEndpoints.createExperiment}>
          <Button
            variant="default"
            loading={create.isPending}
            disabled={isRunning || suite.cases === 0}
            onClick={() => create.start(runWith)}
          >
            {t('run')}
          </Button>
        </Can>
      ) : null}
      {create.error ? <ProblemAlert problem={create.error.problem} action={t('runWhat')} /> : null}
    </Group>
  )
}

interface AddToSuiteProps extends Pick<DatasetSuitesProps, 'dataset_id' | 'workspace' | 'onAdded'> {
  suites: readonly Suite[]
  pendingCase: PendingCase
}

/** Adds a question with what it should find to a suite, or makes a suite of it. */
function AddToSuite({ dataset_id, workspace, suites, pendingCase, onAdded }: AddToSuiteProps) {
  const t = useMessages(retrievalMessages)
  const create = useWrite(suiteEndpoints.createSuite)
  const add = useWrite(suiteEndpoints.addSuiteCases)
  const expected = findExpectedLabel(pendingCase.expected)
  const cases = [{ input: { query: pendingCase.query }, expected: pendingCase.expected }]
  const form = useContractForm({
    schema: z.object({ suite: z.string(), name: z.string().trim() }),
    initialValues: { suite: suites[0]?.id ?? NEW_SUITE, name: '' },
    send: async ({ suite, name }) => {
      if (suite !== NEW_SUITE) return (await add.mutateAsync({ params: { suite_id: suite }, body: { cases } })).added
      await create.mutateAsync({ body: { workspace, name, target: 'retrieval', about: dataset_id, cases } })
      return cases.length
    },
    onDone: (added) => {
      if (added > 0) onAdded()
    },
  })
  const [suite, name] = useWatch({ control: form.form.control, name: ['suite', 'name'] })
  const isNew = suite === NEW_SUITE
  return (
    <Box maw={860} px="md" py="sm" bg="var(--primary-tint)" bd="1px solid var(--line)" bdrs="lg">
      <InlineForm
        form={form}
        layout="row"
        submitLabel={isNew ? t('createSuite') : t('addCase')}
        isSubmitDisabled={isNew && name.trim() === ''}
        action={t('addWhat')}
        buttons={add.data?.added === 0 ? <span role="status">{t('isKept')}</span> : null}
      >
        <Text flex="1 1 100%" fz={13} style={{ overflowWrap: 'anywhere' }}>
          {t.rich('expectedCount', {
            query: pendingCase.query,
            label: expected?.isDocument ? t('anyOf', { document: expected.label }) : (expected?.label ?? ''),
            b: (words) => <b>{words}</b>,
          })}
        </Text>
        {suites.length > 0 ? (
          <NativeSelect
            {...form.field('suite')}
            label={t('suite')}
            data={[
              ...suites.map(({ id, name: label }) => ({ value: id, label })),
              { value: NEW_SUITE, label: t('newSuite') },
            ]}
          />
        ) : null}
        {isNew ? (
          <TextInput {...form.field('name')} label={t('newSuiteName')} maxLength={120} autoComplete="off" />
        ) : null}
      </InlineForm>
    </Box>
  )
}

const NEW_SUITE = 'new'

/** A question with what it should find, to be added to a suite. */
export interface PendingCase {
  query: string
  expected: CaseExpectation
}

/** What a case expects, in one line; null where it names nothing. */
function findExpectedLabel({
  segments = [],
  documents = [],
}: CaseExpectation): { label: string; isDocument: boolean } | null {
  const [segment] = segments
  const [document] = documents
  if (segment) return { label: segment.label ?? segment.id.slice(0, 8), isDocument: false }
  return document ? { label: document.label ?? document.id.slice(0, 8), isDocument: true } : null
}
