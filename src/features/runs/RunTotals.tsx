import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { contract } from '#contract/index.ts'
import type { Run } from '#contract/runs.ts'
import { paths } from '../../paths.ts'
import { count, priceOf, seconds } from '../../run/figures.ts'
import { isOver, type Turn } from '../../run/turn.ts'
import { Since } from '../../ui/Since.tsx'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { runsWords } from './messages.ts'
import classes from './Run.module.css'

export interface RunTotalsProps {
  turn: Turn
  /** The server's row, null while only this browser knows of the run. */
  run: Run | null
  parent: string | null
}

/** What a run took, in one strip. What was not given says so. */
export function RunTotals({ turn, run, parent }: RunTotalsProps) {
  const t = useWords(runsWords)
  const before = useRead(contract.console.readRun, { params: { run_id: parent ?? '' } }, { enabled: parent !== null })
  const parentRun = before.data?.id === parent ? before.data : null
  const { usage, run: flow } = turn.answer
  const tokens = usage?.total_tokens ?? flow.total_tokens ?? run?.total_tokens ?? null
  const time = (ms: number | null) =>
    ms === null ? t(isOver(turn) ? 'none' : 'goesOn') : t('secondsShort', { seconds: seconds(ms) })
  const missing = <span className={classes.missing}>{t(isOver(turn) ? 'notGiven' : 'notYet')}</span>
  const cells: [string, ReactNode, ReactNode][] = [
    [
      t('duration'),
      time(turn.duration_ms),
      parentRun?.duration_ms != null ? t('parentTook', { seconds: seconds(parentRun.duration_ms) }) : null,
    ],
    [t('firstToken'), time(turn.first_token_ms), null],
    [
      t('tokens'),
      tokens === null ? missing : count(tokens),
      usage?.prompt_tokens != null && usage.completion_tokens != null
        ? t('tokensInOut', { input: count(usage.prompt_tokens), output: count(usage.completion_tokens) })
        : null,
    ],
    [t('price'), priceOf(usage?.total_price, usage?.currency) ?? missing, null],
    [t('frames'), count(turn.frames), run ? t('kilobytes', { size: (run.bytes / 1000).toFixed(1) }) : null],
    [
      t('begun'),
      new Date(turn.sent_at).toLocaleTimeString(),
      <Since key="since" at={new Date(turn.sent_at).toISOString()} ago />,
    ],
    flow.told?.elsewhere
      ? [t('person'), t('elsewhere'), null]
      : [t('person'), run?.person ?? t('you'), t('asUser', { user: turn.question.user })],
    ...(parent
      ? [
          [
            t('replayOf'),
            <Link key="parent" to={paths.run(parent, { workspace: run?.workspace })} className={classes.mono}>
              {parent.slice(0, 8)}
            </Link>,
            parentRun?.status ?? null,
          ] as [string, ReactNode, ReactNode],
        ]
      : []),
  ]
  return (
    <dl className={classes.totals}>
      {cells.map(([name, value, note]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          {note ? <dd className={classes.beside}>{note}</dd> : null}
        </div>
      ))}
    </dl>
  )
}
