import { Link } from 'react-router'
import { contract } from '#contract/index.ts'
import { isLive, type Run } from '#contract/runs.ts'
import { paths } from '../../paths.ts'
import { Since } from '../../ui/Since.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { runsWords } from './messages.ts'
import classes from './Run.module.css'

const POLL = 2_000

/** The tree of runs that were made from one another, with this run in it; nothing where it stands alone. */
export function Lineage({ run_id, parent }: { run_id: string; parent: string | null }) {
  const t = useWords(runsWords)
  const { data } = useRead(
    contract.console.listFamily,
    { params: { run_id } },
    { poll: (reply) => (reply?.data.some(({ status }) => isLive(status)) ? POLL : false) },
  )
  const family = data?.data ?? []
  const root = family[0]
  if (!root || (family.length === 1 && parent === null)) return null
  const isOrphan = root.parent !== null
  return (
    <section aria-label={t('lineage')}>
      <h2 className={classes.head}>{t('lineage')}</h2>
      <div className={classes.tree}>
        {isOrphan ? <p className={classes.note}>{t('goneParent', { id: root.parent?.slice(0, 8) ?? '' })}</p> : null}
        <ul>
          <Branch run={root} family={family} own={run_id} />
        </ul>
      </div>
    </section>
  )
}

function Branch({ run, family, own }: { run: Run; family: readonly Run[]; own: string }) {
  const children = family.filter(({ parent }) => parent === run.id)
  return (
    <li aria-current={run.id === own || undefined}>
      <Relative run={run} isOwn={run.id === own} />
      {children.length > 0 ? (
        <ul>
          {children.map((child) => (
            <Branch key={child.id} run={child} family={family} own={own} />
          ))}
        </ul>
      ) : null}
    </li>
  )
}

function Relative({ run, isOwn }: { run: Run; isOwn: boolean }) {
  const t = useWords(runsWords)
  const title = run.title || t('untitled')
  return (
    <span className={classes.relative}>
      {isOwn ? (
        <b dir="auto">{title}</b>
      ) : (
        <Link to={paths.run(run.id, { workspace: run.workspace })} dir="auto">
          {title}
        </Link>
      )}
      {run.status === 'succeeded' ? null : <StateBadge word={run.status} plain />}
      <code>{run.id.slice(0, 8)}</code>
      {isOwn ? <small>{t('thisRun')}</small> : null}
      <Since at={run.created_at} />
    </span>
  )
}
