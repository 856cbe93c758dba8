import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { contract } from '#contract/index.ts'
import { isBlank } from '#contract/told.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { RawJson } from '../../ui/RawJson.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { isOver, type Turn } from '../turn.ts'
import { type Fact, factsOf } from './detail.ts'
import { timelineWords } from './messages.ts'
import classes from './PlatformDetail.module.css'

const POLL = 4_000

/** What the platform says of a workflow run now (operation 12), beside what its stream said; for a run that is over. */
export function PlatformDetail({ turn, app }: { turn: Turn; app: string }) {
  const t = useWords(timelineWords)
  const { run } = turn.answer
  const id = run.workflow_run_id
  const { data, error, refetch, isFetching } = useRead(
    contract.workflows.readRun,
    { key: app, params: { workflow_run_id: id ?? '' } },
    { enabled: id !== null && isOver(turn), poll: (reply) => (reply?.status === 'running' ? POLL : false) },
  )
  if (!isOver(turn)) return null
  const facts = data ? factsOf(run, data) : []
  const differing = facts.filter(({ differs }) => differs)
  const isStructure = ({ name }: Fact) => name === 'inputs' || name === 'outputs'
  const columns: Column<Fact>[] = [
    { head: t('field'), mono: true, cell: ({ name }) => name },
    { head: t(run.told ? 'keptHere' : 'streamSaid'), cell: (fact) => cellOf(fact, fact.streamed) },
    { head: t('saysNow'), cell: (fact) => cellOf(fact, fact.now) },
  ]
  return (
    <section className={classes.detail} aria-label={t('detail')}>
      <header className={classes.head}>
        <h2>{t('detail')}</h2>
        {id === null ? null : (
          <Button
            variant="subtle"
            color="gray"
            loading={isFetching}
            leftSection={<IconRefresh size={14} />}
            onClick={() => void refetch()}
          >
            {t('askAgain')}
          </Button>
        )}
      </header>
      {id === null ? <p className={classes.note}>{t('noRunId')}</p> : null}
      {id !== null && !data && !error ? <SkeletonRows rows={4} /> : null}
      {error ? <ProblemNote problem={error.problem} what={t('detailWhat')} onRetry={() => void refetch()} /> : null}
      {data && isBlank(data) ? <p className={classes.note}>{t('blank')}</p> : null}
      {data && !isBlank(data) ? (
        <>
          <p className={classes.note}>
            {differing.length === 0 ? t(run.told ? 'agreesTold' : 'agrees') : t('differs', { count: differing.length })}
          </p>
          <Table
            label={t('detail')}
            columns={columns}
            rows={facts}
            keyOf={({ name }) => name}
            isMarked={({ differs }) => differs}
          />
          {differing.filter(isStructure).map(({ name, now }) => (
            <section key={name} aria-label={t('now', { name })}>
              <h3 className={classes.part}>{t('now', { name })}</h3>
              <RawJson value={now} label={t('now', { name })} />
            </section>
          ))}
        </>
      ) : null}
    </section>
  )

  function cellOf(fact: Fact, value: unknown) {
    if (value === null) return undefined
    if (fact.name === 'status' && typeof value === 'string') return <StateBadge word={value} plain />
    if (isStructure(fact)) return t(fact.differs ? 'isOther' : 'isSame', { size: JSON.stringify(value).length })
    return <code>{typeof value === 'object' ? JSON.stringify(value) : String(value)}</code>
  }
}
