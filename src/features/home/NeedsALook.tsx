import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Key, Workspace } from '#contract/console.ts'
import type { DriftRow } from '#contract/drifts.ts'
import type { Attention } from '#contract/figures.ts'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Since } from '../../ui/Since.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import { healthOf } from './health.ts'
import classes from './Home.module.css'
import { homeWords } from './messages.ts'
import { useStalled } from './useStalled.ts'
import { May } from '../../wire/May.tsx'

export interface NeedsALookProps {
  attention: Attention | undefined
  workspaces: readonly Workspace[]
}

const NONE: Attention['stalled'] = []

/** What a person should look at, each with one deed. */
export function NeedsALook({ attention, workspaces }: NeedsALookProps) {
  const t = useWords(homeWords)
  const refused = workspaces.flatMap((workspace) => healthOf(workspace).refused.map((key) => ({ workspace, key })))
  const exposed = workspaces.flatMap(({ name, keys }) =>
    keys.filter(({ exposed_at }) => exposed_at !== null).map((key) => ({ workspace: name, key })),
  )
  const nameOf = (id: string) => workspaces.find((one) => one.id === id)?.name ?? id.slice(0, 8)
  const appOf = (id: string) =>
    workspaces.flatMap(({ keys }) => keys).find((key) => key.id === id)?.label ??
    t('deletedKey', { id: id.slice(0, 8) })
  const stalled = useStalled(attention?.stalled ?? NONE, workspaces)
  const drift = attention?.drift.filter(({ is_new }) => is_new) ?? []
  const count = exposed.length + refused.length + (attention?.failures.length ?? 0) + stalled.length + drift.length
  return (
    <section aria-label={t('look')}>
      <h2 className={classes.heading}>
        {t('look')} {count > 0 ? <span className={classes.count}>{count}</span> : null}
      </h2>
      {count === 0 && attention ? <p className={classes.calm}>{t('nothingToLook')}</p> : null}
      <ul className={classes.looks}>
        {exposed.map(({ workspace, key }) => (
          <Look
            key={`exposed ${key.id}`}
            word="failed"
            title={t('exposedKey', { workspace, label: key.label })}
            deed={
              <Button variant="default" size="xs" component={Link} to={paths.workspaces()}>
                {t('rotateKey')}
              </Button>
            }
          >
            {t.rich('exposedWords', { since: () => <Since at={key.exposed_at} ago /> })}
          </Look>
        ))}
        {refused.map(({ workspace, key }) => (
          <RefusedKey key={key.id} workspace={workspace} refused={key} />
        ))}
        {stalled.map(({ document, dataset, workspace, label, state, since, last_seen }) => (
          <Look
            key={document}
            word="stalled"
            title={t.rich('stalled', { name: () => <bdi>{label ?? t('unnamed')}</bdi> })}
            deed={
              <Button
                variant="default"
                size="xs"
                component={Link}
                to={paths.document(dataset, document, { workspace })}
              >
                {t('open')}
              </Button>
            }
          >
            {t.rich('stalledWords', {
              state,
              since: () => <Since at={since} ago />,
              seen: () => <Since at={last_seen} ago />,
            })}
          </Look>
        ))}
        {attention?.failures.map(({ key, message, count: failed, last_run, workspace }) => (
          <Look
            key={key + message}
            word="failed"
            title={t('failures', { count: failed, app: appOf(key) })}
            deed={
              <Button variant="default" size="xs" component={Link} to={paths.run(last_run, { workspace })}>
                {t('openRun')}
              </Button>
            }
          >
            {t('sameWords', { count: failed, message: message || t('noWords') })}
          </Look>
        ))}
        {drift.map(({ workspace, count: ways, newest }) => (
          <Look
            key={`drift ${workspace}`}
            word="drift"
            title={t('drift', { count: ways, workspace: nameOf(workspace) })}
            deed={
              <Button
                variant="default"
                size="xs"
                component={Link}
                to={paths.drift({ workspace, ...(ways === 1 ? { drift: newest.id } : {}) })}
              >
                {t('seeDrift')}
              </Button>
            }
          >
            {t.rich('driftWords', {
              place: driftPlace(newest),
              operation: newest.operation,
              since: () => <Since at={newest.first_seen} ago />,
            })}
          </Look>
        ))}
      </ul>
    </section>
  )
}

const driftPlace = ({ kind, event, path, value }: DriftRow): string =>
  [kind === 'status' ? value : null, event, path || null].filter((one) => one !== null).join(' › ') || kind

function RefusedKey({ workspace, refused }: { workspace: Workspace; refused: Key }) {
  const t = useWords(homeWords)
  const survey = useWrite(contract.console.surveyKey)
  const test = () => survey.mutate({ params: { workspace_id: workspace.id, key_id: refused.id } })
  return (
    <Look
      word="failed"
      title={t('refusesKey', { workspace: workspace.name, label: refused.label })}
      deed={
        <May entry={contract.console.surveyKey}>
          <Button variant="default" size="xs" loading={survey.isPending} onClick={test}>
            {t('testKey')}
          </Button>
        </May>
      }
    >
      {t.rich('refusedWords', {
        message: refused.last_problem?.message ?? t('noWords'),
        since: () => <Since at={refused.last_problem_at} ago />,
      })}
      {survey.error ? <ProblemNote problem={survey.error.problem} /> : null}
    </Look>
  )
}

function Look({
  word,
  title,
  deed,
  children,
}: {
  word: string
  title: ReactNode
  deed: ReactNode
  children: ReactNode
}) {
  return (
    <li className={classes.look}>
      <StateBadge word={word} plain />
      <span>
        <b>{title}</b>
        <span className={classes.words} dir="auto">
          {children}
        </span>
      </span>
      {deed}
    </li>
  )
}
