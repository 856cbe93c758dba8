import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { workflowEndpoints } from '#contract/platform/workflows.ts'
import { isEmptyDetail } from '#domain/workflowRun/runDetail.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { RawJson } from '../../../components/data/json/RawJson.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { type TableColumn, Table } from '../../../components/data/Table.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { isLongOver, isTurnOver, type Turn } from '../turn.ts'
import { type ComparedField, compareRunDetail } from './runDetailComparison.ts'
import { timelineMessages } from '../timeline/messages.ts'
import classes from './PlatformDetail.module.css'

const DETAIL_POLL_INTERVAL_MS = 4_000

/** The platform's current record of a finished workflow run (operation 12), compared with its stream. */
export function PlatformDetail({ turn, app }: { turn: Turn; app: string }) {
  const t = useMessages(timelineMessages)
  const { run } = turn.answer
  const id = run.workflow_run_id
  const { data, error, refetch, isFetching } = useRead(
    workflowEndpoints.readRun,
    { key: app, params: { workflow_run_id: id ?? '' } },
    {
      // The platform keeps no run of refused inputs.
      enabled: id !== null && isTurnOver(turn) && turn.state !== 'refused',
      pollIntervalMs: (reply) => (reply?.status === 'running' && !isLongOver(turn) ? DETAIL_POLL_INTERVAL_MS : false),
    },
  )
  if (!isTurnOver(turn) || turn.state === 'refused') return null
  const fields = data ? compareRunDetail(run, data) : []
  const differing = fields.filter(({ differs }) => differs)
  const isStructure = ({ name }: ComparedField) => name === 'inputs' || name === 'outputs'
  const columns: TableColumn<ComparedField>[] = [
    { header: t('field'), isMono: true, cell: ({ name }) => name },
    { header: t(run.told ? 'storedValue' : 'streamValue'), cell: (fact) => renderValue(fact, fact.streamed) },
    { header: t('platformValue'), cell: (fact) => renderValue(fact, fact.now) },
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
      {error ? <ProblemAlert problem={error.problem} action={t('detailWhat')} onRetry={() => void refetch()} /> : null}
      {data && isEmptyDetail(data) ? <p className={classes.note}>{t('blank')}</p> : null}
      {data && !isEmptyDetail(data) ? (
        <>
          <p className={classes.note}>
            {differing.length === 0
              ? t(run.told ? 'matchesStored' : 'agrees')
              : t('differs', { count: differing.length })}
          </p>
          {data.status === 'running' && isLongOver(turn) ? (
            <p className={classes.note}>{t('stillSays', { status: data.status })}</p>
          ) : null}
          <Table
            label={t('detail')}
            columns={columns}
            rows={fields}
            getKey={({ name }) => name}
            isHighlighted={({ differs }) => differs}
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

  function renderValue(fact: ComparedField, value: unknown) {
    if (value === null) return undefined
    if (fact.name === 'status' && typeof value === 'string') return <StatusBadge status={value} isPlain />
    if (isStructure(fact)) return t(fact.differs ? 'isOther' : 'isSame', { size: JSON.stringify(value).length })
    return <code>{typeof value === 'object' ? JSON.stringify(value) : String(value)}</code>
  }
}
