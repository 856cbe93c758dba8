import { Text } from '@mantine/core'
import { formatTime } from '#domain/dateFormat.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Run } from '#contract/console/runs.ts'
import { runEndpoints } from '#contract/console/runEndpoints.ts'
import { paths } from '#domain/paths.ts'
import { Price } from '../../../components/data/Price.tsx'
import { formatBytes, formatCount, formatSeconds } from '#domain/metricFormat.ts'
import { isTurnOver, type Turn } from '../turn.ts'
import { readTurnFigures } from '../turnFigures.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { type Translate, useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { versionMessages } from '../version/messages.ts'
import { runListMessages } from '../list/messages.ts'
import { runMessages } from '../detail/messages.ts'
import classes from './Run.module.css'

interface RunTotalsProps {
  turn: Turn
  /** The server's row, null while only this browser knows the run. */
  run: Run | null
  parent: string | null
}

/** The metrics of a run in one row. A missing value is shown as missing. */
export function RunTotals({ turn, run, parent }: RunTotalsProps) {
  const t = useMessages(runListMessages)
  const tRun = useMessages(runMessages)
  const tVersion = useMessages(versionMessages)
  const before = useRead(runEndpoints.readRun, { params: { run_id: parent ?? '' } }, { enabled: parent !== null })
  const parentRun = before.data ?? null
  const { usage, run: flow } = turn.answer
  const figures = readTurnFigures(turn)
  const tokens = figures.tokens ?? run?.total_tokens ?? null
  const time = (ms: number | null) =>
    ms === null ? t(isTurnOver(turn) ? 'none' : 'running') : t('secondsShort', { seconds: formatSeconds(ms) })
  const missing = (
    <Text span inherit fw={400} c="var(--text-3)">
      {t(isTurnOver(turn) ? 'notGiven' : 'notYet')}
    </Text>
  )
  const measured = tRun('measuredWhy')
  const reported = tRun('reportedWhy')
  const cells: [string, ReactNode, ReactNode, string?][] = [
    [
      t('duration'),
      time(figures.duration),
      parentRun?.duration_ms != null ? t('parentTook', { seconds: formatSeconds(parentRun.duration_ms) }) : null,
      measured,
    ],
    [t('firstToken'), time(figures.firstToken), null, measured],
    [
      t('tokens'),
      tokens === null ? missing : formatCount(tokens),
      usage?.prompt_tokens != null && usage.completion_tokens != null
        ? t('tokensInOut', { input: formatCount(usage.prompt_tokens), output: formatCount(usage.completion_tokens) })
        : null,
      reported,
    ],
    [
      t('price'),
      usage?.total_price ? <Price key="price" price={usage.total_price} currency={usage.currency} /> : missing,
      null,
      reported,
    ],
    [t('frames'), formatCount(turn.frames), run ? formatBytes(run.bytes) : null],
    [t('started'), formatTime(turn.sent_at), <RelativeTime key="since" at={new Date(turn.sent_at).toISOString()} />],
    flow.told?.elsewhere
      ? [t('startedBy'), t('external'), null]
      : [t('startedBy'), run?.person ?? t('you'), t('asUser', { user: turn.question.user })],
    [t('platformVersion'), run?.platform_version ?? missing, null],
    ...toVersionCells(turn, tVersion),
    ...(parent
      ? [
          [
            t('replayOf'),
            <Link key="parent" to={paths.run(parent, { workspace: run?.workspace })}>
              <code>{parent.slice(0, 8)}</code>
            </Link>,
            parentRun?.status ?? null,
          ] as [string, ReactNode, ReactNode],
        ]
      : []),
  ]
  return (
    <dl className={classes.totals} aria-label={t('totals')} tabIndex={0}>
      {cells.map(([name, value, note, why]) => (
        <div key={name} title={why}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          {note ? <dd className={classes.beside}>{note}</dd> : null}
        </div>
      ))}
    </dl>
  )
}

/** The version of the workflow that ran, and whether it was requested. Nothing for a run without a workflow. */
function toVersionCells(
  { answer, question }: Turn,
  t: Translate<typeof versionMessages>,
): [string, ReactNode, ReactNode][] {
  const { workflow_id } = answer.run
  const pinned = question.pinned_workflow_id
  const shown = workflow_id ?? pinned
  if (shown === null) return []
  const id = (
    <code key="version" title={shown}>
      {shown.slice(0, 8)}
    </code>
  )
  if (pinned === null) return [[t('version'), id, t('notPinned')]]
  if (workflow_id === null) return [[t('version'), id, t('notRun')]]
  return [[t('version'), id, workflow_id === pinned ? t('pinned') : t('otherRan', { id: pinned.slice(0, 8) })]]
}
