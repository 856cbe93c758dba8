import { type ReactNode, Suspense } from 'react'
import { asRecord } from '#domain/stream/untrustedJson.ts'
import { isSuccessStatus } from '#contract/console/runs.ts'
import { workspaceEndpoints } from '#contract/console/workspaces.ts'
import { Flex, Text } from '@mantine/core'
import { formatCount, formatSeconds } from '#domain/metricFormat.ts'
import type { RunState, UnknownEvent } from '#domain/workflowRun/runState.ts'
import { AnnotationMark, AnswerMetrics, TurnFooter } from '../answer/AnswerFooter.tsx'
import { AnswerView } from '../answer/AnswerView.tsx'
import { Metric } from '../../../components/data/Metric.tsx'
import { RawJson } from '../../../components/data/json/RawJson.tsx'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runMessages } from './messages.ts'
import { timelineMessages } from '../timeline/messages.ts'
import { RunStatusBar, TurnAnnouncement } from './RunStatusBar.tsx'
import { SourceCards } from '../answer/SourceCard.tsx'
import { AgentThoughts } from '../answer/AnswerSteps.tsx'
import { OutputFiles } from '../files/OutputFiles.tsx'
import { WorkflowStatusNote, DetailSourceNote } from '../platformDetail/RunNotes.tsx'
import type { Turn } from '../turn.ts'
import { TurnProblem } from './TurnProblem.tsx'
import { useRead } from '../../../client/query.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { RUN_ENTRIES } from '../runEntries.ts'

const Markdown = lazyWithPreload(async () => (await import('../../../components/markdown/Markdown.tsx')).Markdown)
const LazyRunFlow = lazyWithPreload(async () => (await import('../graph/RunFlow.tsx')).RunFlow)

export interface RunReplyProps {
  turn: Turn
  workspace: string
  /** The key of the app; null if this console no longer has it. */
  app: string | null
  /** The position of the selected source. */
  source: number | null
  onCite: (position: number) => void
  onInspect: () => void
  /** Opens the inspector at a node, which is in the URL already. */
  onNode?: (key: string) => void
  onResend: () => void
  onEdit: () => void
  /** Stops the run, if the platform supports it. */
  stopButton?: ReactNode
  /** The forms that the run waits for, and those that were answered (`RunForms`). */
  forms?: ReactNode
  /** Asks the platform for the outcome of a run without a final event (`AskPlatform`). */
  askPlatform?: ReactNode
  /** What the platform keeps of a broken answer (`KeptMessageNote`). */
  keptMessage?: ReactNode
  /** Further actions on this answer. */
  actions?: ReactNode
}

/** The result of a run: status, answer, sources, metrics. */
export function RunReply(props: RunReplyProps) {
  const {
    turn,
    workspace,
    app,
    source,
    onCite,
    onInspect,
    onNode = onInspect,
    onResend: resend,
    onEdit,
    stopButton,
    forms,
    askPlatform,
    keptMessage,
    actions,
  } = props
  const t = useMessages(runMessages)
  const { answer, state, frames } = turn
  const onSendAgain = usePermission()(RUN_ENTRIES[turn.entry]) ? resend : null
  const isWorkflow = turn.entry === 'workflows.run'
  const isRejected = state === 'failed' || state === 'refused'
  const workspaces = useRead(workspaceEndpoints.listWorkspaces, {}, { enabled: app !== null && isRejected })
  const key = workspaces.data?.data.flatMap(({ keys }) => keys).find(({ id }) => id === app)
  return (
    <Flex component="article" direction="column" gap="md" aria-label={t('answer')}>
      <RunStatusBar turn={turn} onResend={onSendAgain} onEdit={onEdit} stopButton={stopButton} />
      {forms}
      {askPlatform}
      {keptMessage}
      <DetailSourceNote run={answer.run} />
      <TurnProblem turn={turn} {...(key ? { app: key } : {})} onSendAgain={onSendAgain} />
      <AgentThoughts thoughts={answer.thoughts} />
      <WorkflowStatusNote run={answer.run} hasForms={Boolean(forms)} />
      {answer.run.nodes.length > 0 ? (
        <Suspense fallback={<SkeletonRows rows={Math.min(8, answer.run.nodes.length)} height={33} />}>
          <LazyRunFlow turn={turn} onSelectNode={onNode} />
        </Suspense>
      ) : null}
      <UnknownEvents events={answer.unknown} />
      {isWorkflow && answer.text === '' && answer.reasoning === '' ? null : (
        <AnswerView turn={turn} workspace={workspace} onCite={onCite} />
      )}
      <AnnotationMark answer={answer} workspace={workspace} app={app} />
      <WorkflowOutputs run={answer.run} text={answer.text} />
      <OutputFiles turn={turn} workspace={workspace} />
      <SourceCards sources={answer.sources} workspace={workspace} selected={source} run={turn.run_id} />
      {frames > 0 || answer.text !== '' || isSuccessStatus(state) ? (
        <TurnFooter text={answer.text} onInspect={onInspect} actions={actions}>
          {isWorkflow ? <RunMetrics run={answer.run} /> : <AnswerMetrics turn={turn} />}
        </TurnFooter>
      ) : null}
      <TurnAnnouncement turn={turn} key={turn.run_id} />
    </Flex>
  )
}

/**
 * The outputs of a finished workflow; nothing before the end or without outputs. A single text is rendered like an
 * answer, unless it was streamed and is shown above already; its JSON is then collapsed.
 */
function WorkflowOutputs({ run, text }: { run: RunState; text: string }) {
  const t = useMessages(runMessages)
  if (run.outputs === null || run.outputs === undefined || JSON.stringify(run.outputs) === '{}') return null
  const single = getSingleText(run.outputs)
  const json = <RawJson value={run.outputs} label={t('outputs')} />
  if (single === null) return <section aria-label={t('outputs')}>{json}</section>
  return (
    <section aria-label={t('outputs')}>
      {single === text ? null : (
        <Suspense fallback={<div style={{ whiteSpace: 'pre-wrap' }}>{single}</div>}>
          <Markdown text={single} isStreaming={false} citations={NO_CITATIONS} onCite={() => undefined} />
        </Suspense>
      )}
      <details>
        <Text component="summary" py={4} c="dimmed" fz="sm">
          {t('outputsJson')}
        </Text>
        {json}
      </details>
    </section>
  )
}

const NO_CITATIONS: readonly number[] = []

/** The text of outputs that are one text; null for any other. */
function getSingleText(outputs: unknown): string | null {
  const record = asRecord(outputs)
  if (!record) return null
  const values = Object.values(record)
  return values.length === 1 && typeof values[0] === 'string' && values[0].trim() !== '' ? values[0] : null
}

/** The platform's metrics of a workflow. A missing value is shown as missing. */
function RunMetrics({ run }: { run: RunState }) {
  const t = useMessages(timelineMessages)
  const title = useMessages(runMessages)('reportedWhy')
  const { elapsed_time, total_steps, total_tokens } = run
  return (
    <>
      <Metric
        label={t('elapsed')}
        value={elapsed_time === null ? null : formatSeconds(elapsed_time * 1000)}
        unit="s"
        title={title}
      />
      <Metric label={t('steps')} value={total_steps} title={title} />
      <Metric label={t('totalTokens')} value={total_tokens === null ? null : formatCount(total_tokens)} title={title} />
    </>
  )
}

/** Unknown events, unchanged; nothing without any. */
function UnknownEvents({ events }: { events: readonly UnknownEvent[] }) {
  const t = useMessages(timelineMessages)
  if (events.length === 0) return null
  const label = t('unknownEvents', { count: events.reduce((all, { count }) => all + count, 0) })
  return (
    <details>
      <Text component="summary" c="dimmed" fz="sm">
        {label}
      </Text>
      <RawJson value={events} label={label} />
    </details>
  )
}
