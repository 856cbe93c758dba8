import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Workspace } from '#contract/console.ts'
import type { Sum } from '#contract/figures.ts'
import { paths } from '../../paths.ts'
import { initialsOf } from '../../ui/initials.ts'
import { Since } from '../../ui/Since.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useWords } from '../../ui/words.ts'
import { healthOf } from './health.ts'
import classes from './Home.module.css'
import { homeWords } from './messages.ts'
import { shareOf } from './series.ts'

export interface WorkspaceCardProps {
  workspace: Workspace
  /** Undefined while it is read, as `drift`: the ways in which its platform differs from the contract. */
  sums: readonly Sum[] | undefined
  drift: number | undefined
}

/** One workspace: where it is, whether it answers, what ran on it in the span, and whether it differs from the contract. */
export function WorkspaceCard({ workspace, sums, drift }: WorkspaceCardProps) {
  const t = useWords(homeWords)
  const { state, answered_at } = healthOf(workspace)
  const runs = sums?.reduce((count, sum) => count + sum.runs, 0)
  const share = sums
    ? shareOf(
        sums.reduce((count, { failed }) => count + failed, 0),
        runs ?? 0,
      )
    : null
  const b = (words: ReactNode) => <b>{words}</b>
  return (
    <article className={classes.workspace} aria-label={workspace.name}>
      <header>
        <span className={classes.sign} aria-hidden="true">
          {initialsOf(workspace.name)}
        </span>
        <span>
          <b>{workspace.name}</b>
          <small>{hostOf(workspace.base_url)}</small>
        </span>
      </header>
      <StateBadge word={state} />
      <ul>
        <li>{t('keys', { count: workspace.keys.length })}</li>
        <li>
          {answered_at ? t.rich('answered', { since: () => <Since at={answered_at} ago /> }) : t('neverAnswered')}
        </li>
        {runs === undefined ? null : <li>{t.rich('runs', { count: runs, b })}</li>}
        {runs === undefined ? null : <li>{share === null ? t('noRuns') : t.rich('failedShare', { share, b })}</li>}
        {drift === undefined ? null : (
          <li className={classes.drift}>
            <Link to={paths.drift({ workspace: workspace.id })}>
              {drift === 0 ? t('noDrift') : t.rich('driftOf', { count: drift, b })}
            </Link>
          </li>
        )}
      </ul>
    </article>
  )
}

function hostOf(base_url: string): string {
  return URL.canParse(base_url) ? new URL(base_url).host : base_url
}
