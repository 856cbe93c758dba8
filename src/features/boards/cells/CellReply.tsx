import { Button, Stack, Text } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router'
import { isActiveStatus, type Run, isSuccessStatus } from '#contract/console/runs.ts'
import { paths } from '#domain/paths.ts'
import { RUN_ENTRIES, STOP_ENTRIES } from '../../runs/runEntries.ts'
import { RunReply } from '../../runs/detail/RunReply.tsx'
import { StopRunButton } from '../../runs/detail/StopRunButton.tsx'
import { AskPlatform } from '../../runs/platformDetail/AskPlatform.tsx'
import { isTurnOver, type Turn, toTurn } from '../../runs/turn.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runStore, useRun } from '../../../client/useRun.ts'
import type { CellApp, Round } from './useCells.ts'
import { boardMessages } from '../messages.ts'
import { collectSources } from '#domain/answer/collectSources.ts'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { JsonDiff, SourceDiff } from '../../runs/compare/ChangeLists.tsx'
import { TextDiff } from '../../../components/data/textDiff/TextDiff.tsx'

export interface CellReplyProps {
  /** The round that is shown. */
  round: Round
  entry: Run['entry']
  app: CellApp | null
  /** The workspace in which its sources open. */
  workspace: string
  /** Whether the board shows how this one differs; null for the baseline. */
  baseline: { letter: string; turn: Turn | null } | null
  source: number | null
  onInspect: (run_id: string, part?: { source?: number; node?: string }) => void
  /** Null where this app cannot be asked any more. */
  onRerun: ((question: Turn['question']) => void) | null
  onSendRemaining: (() => void) | null
}

/** The result of one round, live or stored, or its differences from the baseline; or why there is none. */
export function CellReply(props: CellReplyProps) {
  const { round, onSendRemaining } = props
  const t = useMessages(boardMessages)
  if (round.isLost)
    return (
      <Stack align="start" gap="sm">
        <RoundText>{t('notSent')}</RoundText>
        {onSendRemaining ? (
          <Button variant="default" data-once leftSection={<IconSend size={14} />} onClick={onSendRemaining}>
            {t('sendRest')}
          </Button>
        ) : null}
      </Stack>
    )
  if (round.isHidden) return <RoundText>{t('hidden')}</RoundText>
  if (round.isWaiting) return <RoundText>{t('waits')}</RoundText>
  if (round.run_id !== null) return <RunOfRound {...props} run_id={round.run_id} />
  return round.problem ? (
    <ProblemAlert problem={round.problem} action={t('sendWhat')} />
  ) : (
    <SkeletonRows rows={3} height={48} />
  )
}

const RoundText = ({ children }: { children: string }) => (
  <Text c="dimmed" fz="sm">
    {children}
  </Text>
)

function RunOfRound(props: CellReplyProps & { run_id: string }) {
  const { run_id, round, entry, app, workspace, baseline, source, onInspect, onRerun } = props
  const { row, problem } = round
  const t = useMessages(boardMessages)
  const navigate = useNavigate()
  const view = useRun(RUN_ENTRIES[entry], run_id, row !== null && isActiveStatus(row.status))
  const turn = toTurn(row, view)
  if (!turn && problem?.status === 404) return <RoundText>{t('noRun', { id: run_id.slice(0, 8) })}</RoundText>
  if (!turn && problem) return <ProblemAlert problem={problem} action={t('readRun', { id: run_id.slice(0, 8) })} />
  if (!turn) return <SkeletonRows rows={3} height={48} />
  const open = (
    <Text
      component={Link}
      display="inline-block"
      pt="sm"
      fz="sm"
      td="underline"
      c="var(--primary-text)"
      to={paths.run(run_id, { workspace })}
    >
      {t('openRun')}
    </Text>
  )
  if (baseline && isTurnOver(turn) && hasAnswerContent(turn))
    return (
      <>
        <CellDiff baseline={baseline.turn} letter={baseline.letter} turn={turn} />
        {open}
      </>
    )
  return (
    <>
      <RunReply
        key={run_id}
        turn={turn}
        workspace={workspace}
        app={app?.key.id ?? null}
        source={source}
        onCite={(position) => onInspect(run_id, { source: position })}
        onInspect={() => onInspect(run_id)}
        onNode={(node) => onInspect(run_id, { node })}
        // A finished run is replayed on its own page.
        onResend={() =>
          onRerun ? onRerun(turn.question) : void navigate(paths.run(run_id, { workspace, replay: '1' }))
        }
        onEdit={() => runStore.remove(run_id)}
        askPlatform={app ? <AskPlatform turn={turn} app={app.key} /> : null}
        stopButton={
          app ? (
            <StopRunButton
              app={app.key}
              entry={STOP_ENTRIES[turn.entry]}
              task_id={turn.answer.task_id}
              user={turn.question.user}
              key={run_id}
            />
          ) : null
        }
      />
      {isTurnOver(turn) ? open : null}
    </>
  )
}

const hasAnswerContent = ({ answer }: Turn): boolean => answer.text !== '' || answer.run.outputs !== null

interface CellDiffProps {
  baseline: Turn | null
  letter: string
  turn: Turn
}

/** How an answer differs from the baseline's: question and inputs if different, text or outputs, sources. */
function CellDiff({ baseline, letter, turn }: CellDiffProps) {
  const t = useMessages(boardMessages)
  if (!baseline)
    return (
      <Text c="dimmed" fz="sm">
        {t('noBaselineRun')}
      </Text>
    )
  if (!isTurnOver(baseline))
    return (
      <Text c="dimmed" fz="sm">
        {t('whenOver')}
      </Text>
    )
  const [before, after] = [baseline.answer, turn.answer]
  const hasOutputs = before.run.outputs !== null || after.run.outputs !== null
  const hasText = before.text !== '' || after.text !== ''
  const otherInputs = JSON.stringify(baseline.question.inputs) !== JSON.stringify(turn.question.inputs)
  const otherQuestion = baseline.entry === turn.entry && baseline.question.query !== turn.question.query
  return (
    <Stack gap="md">
      <Text component="h3" c="dimmed" fz="sm" fw={550}>
        {t('toBaseline', { letter })} {isSuccessStatus(turn.state) ? null : <StatusBadge status={turn.state} />}
      </Text>
      {otherQuestion && turn.entry === 'chat.send' ? (
        <TextDiff before={baseline.question.query} after={turn.question.query} label={t('question')} />
      ) : null}
      {otherInputs && baseline.entry === turn.entry ? (
        <JsonDiff before={baseline.question.inputs} after={turn.question.inputs} label={t('inputs')} />
      ) : null}
      {hasText || !hasOutputs ? (
        <TextDiff before={toComparableText(before)} after={toComparableText(after)} label={t('answer')} />
      ) : null}
      {before.run.outputs !== null && after.run.outputs !== null ? (
        <JsonDiff before={before.run.outputs} after={after.run.outputs} label={t('outputs')} />
      ) : null}
      <SourceDiff before={collectSources(before)} after={collectSources(after)} />
    </Stack>
  )
}

/** A workflow without text answers with its outputs: they are compared with the text of another app. */
function toComparableText({ text, run }: Turn['answer']): string {
  if (text !== '' || run.outputs === null || run.outputs === undefined) return text
  return typeof run.outputs === 'string' ? run.outputs : JSON.stringify(run.outputs, null, 2)
}
