import { Link } from 'react-router'
import { useTranslations } from 'use-intl'
import { contract } from '#contract/index.ts'
import { isLive, type Run } from '#contract/runs.ts'
import { paths } from '../../paths.ts'
import { Since } from '../../ui/Since.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useRead } from '../../wire/query.ts'
import classes from './Run.module.css'

const MOST = 50

/** The run that this one was made from and the runs that were made from it; nothing where it stands alone. */
export function Lineage({ run_id, title, parent }: { run_id: string; title: string; parent: string | null }) {
  const t = useTranslations('runs')
  const before = useRead(contract.console.readRun, { params: { run_id: parent ?? '' } }, { enabled: parent !== null })
  const after = useRead(
    contract.console.listRuns,
    { query: { parent: run_id, limit: MOST } },
    { poll: (reply) => (reply?.data.some(({ status }) => isLive(status)) ? 2_000 : false) },
  )
  const children = after.data?.data ?? []
  if (parent === null && children.length === 0) return null
  const own = (
    <ul>
      <li aria-current="true">
        <b dir="auto">{title}</b> <small>{t('thisRun')}</small>
        {children.length > 0 ? (
          <ul>
            {children.map((child) => (
              <li key={child.id}>
                <Relative run={child} />
              </li>
            ))}
            {(after.data?.total ?? 0) > MOST ? (
              <li>{t('moreChildren', { count: (after.data?.total ?? 0) - MOST })}</li>
            ) : null}
          </ul>
        ) : null}
      </li>
    </ul>
  )
  return (
    <section aria-label={t('lineage')}>
      <h2 className={classes.head}>{t('lineage')}</h2>
      <div className={classes.tree}>
        {parent === null ? (
          own
        ) : (
          <ul>
            <li>
              {before.data?.id === parent ? (
                <Relative run={before.data} />
              ) : (
                <Link to={paths.run(parent)}>{t('runName', { id: parent.slice(0, 8) })}</Link>
              )}
              {own}
            </li>
          </ul>
        )}
      </div>
    </section>
  )
}

function Relative({ run }: { run: Run }) {
  const t = useTranslations('runs')
  return (
    <span className={classes.relative}>
      <Link to={paths.run(run.id, { workspace: run.workspace })} dir="auto">
        {run.title || t('untitled')}
      </Link>
      {run.status === 'succeeded' ? null : <StateBadge word={run.status} plain />}
      <code>{run.id.slice(0, 8)}</code>
      <Since at={run.created_at} />
    </span>
  )
}
