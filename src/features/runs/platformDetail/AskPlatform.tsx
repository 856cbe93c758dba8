import { Button, Flex, Group, Paper, Text, TextInput } from '@mantine/core'
import { IconMessageQuestion } from '@tabler/icons-react'
import { useState } from 'react'
import type { z } from 'zod'
import { isUnresolvedStatus } from '#contract/console/runs.ts'
import { optionalAppEndpoints } from '#contract/platform/optionalApps.ts'
import { formatDateTime } from '#domain/dateFormat.ts'
import { formatSeconds } from '#domain/metricFormat.ts'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { runInsightEndpoints } from '#contract/console/runInsights.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { InlineForm } from '../../../components/forms/InlineForm.tsx'
import { useContractForm } from '../../../components/forms/useContractForm.ts'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import { isLongOver, type Turn } from '../turn.ts'
import { timelineMessages } from '../timeline/messages.ts'
import { usePermission } from '../../../client/usePermission.ts'
import blocks from '../../../components/layout/Blocks.module.css'

/**
 * Offers to query operation 12 for the outcome of a workflow or a chatflow without a final event, or a paused one. A call that was cut before it
 * named its run needs the id: from the platform's log if available, else typed.
 */
export function AskPlatform({ turn, app }: { turn: Turn; app: Key }) {
  const t = useMessages(timelineMessages)
  const [needsId, setAsksId] = useState(false)
  const write = useWrite(runInsightEndpoints.reconcileRun)
  const canReconcile = usePermission()(runInsightEndpoints.reconcileRun)
  const { run_id, answer, state, sent_at, question } = turn
  const known = answer.run.workflow_run_id
  const isWorkflow = turn.entry === 'workflows.run' || known !== null
  if (!canReconcile || !isWorkflow || !isUnresolvedStatus(state)) return null
  const ask = (workflow_run_id?: string) =>
    write.mutate({ params: { run_id }, body: workflow_run_id ? { workflow_run_id } : {} })
  const problem = write.error?.problem
  const isStillOpen = write.isSuccess && isUnresolvedStatus(write.data.status)
  const stillSays = answer.run.told && isLongOver(turn) ? answer.run.status : null
  return (
    <Flex component="section" direction="column" gap="sm" pb="sm" aria-label={t('askPlatform')}>
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={<IconMessageQuestion size={14} />}
          loading={write.isPending}
          onClick={() => (known ? ask() : setAsksId(true))}
        >
          {t('askPlatform')}
        </Button>
        <Text span size="sm" c="dimmed" aria-live="polite">
          {stillSays !== null
            ? t('stillSays', { status: stillSays })
            : isStillOpen
              ? t('stillOpen', { status: answer.run.status ?? t('notGiven') })
              : t('askWhy')}
        </Text>
      </Group>
      {needsId && !known ? (
        <>
          <Text size="sm" c="dimmed">
            {t('askNeedsId')}
          </Text>
          {app.offers.includes('workflowLogs') ? (
            <LoggedRuns app={app.id} sent_at={sent_at} user={question.user} onChoose={ask} />
          ) : null}
          <RunIdForm onAsk={(body) => write.mutateAsync({ params: { run_id }, body })} />
        </>
      ) : null}
      {problem ? (
        <ProblemAlert problem={problem} action={t('loadThisRun')} {...getProblemTitle(problem.upstream?.status)} />
      ) : null}
    </Flex>
  )

  function getProblemTitle(status: number | undefined): { title?: string } {
    return status === 404 || (status === 200 && problem?.kind === 'refused') ? { title: t('knowsNoRun') } : {}
  }
}

interface RunIdFormProps {
  /** Its refusal is shown by the caller. */
  onAsk: (body: z.output<typeof runInsightEndpoints.reconcileRun.body>) => Promise<unknown>
}

function RunIdForm({ onAsk }: RunIdFormProps) {
  const t = useMessages(timelineMessages)
  const form = useContractForm({
    schema: runInsightEndpoints.reconcileRun.body,
    initialValues: { workflow_run_id: '' },
    toBody: ({ workflow_run_id }) => ({ workflow_run_id: workflow_run_id.trim() }),
    send: onAsk,
  })
  const id = form.field('workflow_run_id')
  return (
    <InlineForm form={{ ...form, problem: null }} layout="row" action={t('loadThisRun')}>
      <TextInput
        {...id}
        flex="1 1 280px"
        maw={380}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        label={null}
        aria-label={t('workflowRunId')}
        placeholder={t('workflowRunId')}
        error={id.error && t('noId')}
        autoComplete="off"
        spellCheck={false}
      />
      <Button type="submit" variant="default" loading={form.isPending}>
        {t('askForIt')}
      </Button>
    </InlineForm>
  )
}

interface LoggedRunsProps {
  app: string
  /** Time of the request (Unix ms). */
  sent_at: number
  user: string
  onChoose: (workflow_run_id: string) => void
}

/** Tolerances for clock skew and late starts (ms). */
const SEARCH_BEFORE_MS = 10_000
const SEARCH_AFTER_MS = 120_000

/** The runs in the platform's log of this user around the time of a call: one of them is the interrupted one. */
function LoggedRuns({ app, sent_at, user, onChoose }: LoggedRunsProps) {
  const t = useMessages(timelineMessages)
  const query = {
    created_at__after: new Date(sent_at - SEARCH_BEFORE_MS).toISOString(),
    created_at__before: new Date(sent_at + SEARCH_AFTER_MS).toISOString(),
    created_by_end_user_session_id: user || undefined,
    limit: 20,
  }
  const read = useRead(optionalAppEndpoints.workflowLogs, { key: app, query })
  return (
    <ReadBoundary
      read={read}
      action={t('readLog')}
      loading={<SkeletonRows rows={2} height={34} />}
      isEmpty={({ data }) => data.length === 0}
      empty={
        <Text size="sm" c="dimmed">
          {t('noneLogged')}
        </Text>
      }
    >
      {({ data }) => (
        <Paper component="ul" radius="md" fz="sm" className={blocks.lined} aria-label={t('logged')}>
          {data.map(({ id, workflow_run: run, created_at }) => (
            <Group component="li" key={id} wrap="nowrap" gap="md" mih={34} px="md" py={2}>
              <code>{(run?.id ?? id).slice(0, 8)}</code>
              {run?.status ? <StatusBadge status={run.status} isPlain /> : null}
              <span>{typeof created_at === 'number' ? formatDateTime(created_at * 1000) : null}</span>
              <span>
                {run?.elapsed_time == null
                  ? null
                  : t('secondsShort', { seconds: formatSeconds(run.elapsed_time * 1000) })}
              </span>
              <Button
                variant="subtle"
                color="gray"
                size="compact-xs"
                ml="auto"
                disabled={!run?.id}
                onClick={() => run?.id && onChoose(run.id)}
              >
                {t('thisOne')}
              </Button>
            </Group>
          ))}
        </Paper>
      )}
    </ReadBoundary>
  )
}
