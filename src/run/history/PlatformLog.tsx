import { Button } from '@mantine/core'
import { useNavigate } from 'react-router'
import type { Reply } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Since } from '../../ui/Since.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useWords } from '../../ui/words.ts'
import { useRead, useWrite } from '../../wire/query.ts'
import { count, seconds } from '../figures.ts'
import classes from './History.module.css'
import type { HistoryProps } from './History.tsx'
import { HistoryFilters } from './HistoryFilters.tsx'
import { historyWords } from './messages.ts'
import { May } from '../../wire/May.tsx'

const LIMIT = 20
/** The states that the platform's log can be asked for. */
const STATES = ['succeeded', 'failed', 'stopped'] as const

type Logged = Reply<typeof contract.adjacent.workflowLogs>['data'][number]

/** The platform's own log of an app, where it offers one: also runs that this console never saw, each of which can be read. */
export function PlatformLog({ workspace, app }: HistoryProps) {
  const t = useWords(historyWords)
  const { get, set } = useListState()
  const query = {
    keyword: get('q'),
    status: STATES.find((one) => one === get('status')),
    created_at__after: get('from'),
    page: Number(get('page') ?? 1) || 1,
    limit: LIMIT,
  }
  const { data, error, refetch } = useRead(contract.adjacent.workflowLogs, { key: app.id, query })
  return (
    <>
      <HistoryFilters states={STATES} search={t('searchLog')} byPerson={false} />
      {error ? (
        <div className={classes.alone}>
          <ProblemNote problem={error.problem} what={t('logWhat')} onRetry={() => void refetch()} />
        </div>
      ) : null}
      {!data && !error ? <SkeletonRows rows={8} height={44} /> : null}
      {data?.data.length === 0 ? <Empty title={t('noLog')}>{t('noLogText')}</Empty> : null}
      {data && data.data.length > 0 ? <p className={classes.note}>{t('logNote')}</p> : null}
      <ul className={classes.list} aria-label={t('log')}>
        {data?.data.map((logged) => (
          <Line key={logged.id} logged={logged} app={app.id} workspace={workspace} />
        ))}
      </ul>
      {data && (data.total ?? 0) > LIMIT ? (
        <Pager page={query.page} limit={LIMIT} total={data.total ?? 0} onPage={(page) => set({ page })} />
      ) : null}
    </>
  )
}

function Line({ logged, app, workspace }: { logged: Logged; app: string; workspace: string }) {
  const t = useWords(historyWords)
  const navigate = useNavigate()
  const write = useWrite(contract.console.adoptRun)
  const { workflow_run: run, created_by_end_user: by, created_at } = logged
  const user = (by as { session_id?: unknown } | null | undefined)?.session_id
  const id = run?.id
  return (
    <li>
      <span className={classes.logged}>
        {run?.status ? <StateBadge word={run.status} plain /> : null}
        <code>{(id ?? logged.id).slice(0, 8)}</code>
        {typeof user === 'string' ? <span dir="auto">{t('byUser', { user })}</span> : null}
        <May entry={contract.console.adoptRun}>
          <Button
            variant="subtle"
            size="compact-xs"
            loading={write.isPending}
            disabled={!id}
            onClick={() =>
              id &&
              write.mutate(
                { body: { key: app, workflow_run_id: id } },
                { onSuccess: (kept) => void navigate(paths.run(kept.id, { workspace })) },
              )
            }
          >
            {t('open')}
          </Button>
        </May>
      </span>
      <span className={classes.about}>
        {run?.elapsed_time == null ? null : <span>{t('seconds', { seconds: seconds(run.elapsed_time * 1000) })}</span>}
        {run?.total_tokens == null ? null : <span>{t('tokens', { tokens: count(run.total_tokens) })}</span>}
        <span className={classes.when}>
          <Since at={created_at} />
        </span>
      </span>
      {run?.error ? (
        <span className={classes.words} dir="auto">
          {run.error}
        </span>
      ) : null}
      {write.error ? <ProblemNote problem={write.error.problem} what={t('openWhat')} /> : null}
    </li>
  )
}
