import { Button, NativeSelect } from '@mantine/core'
import { useLocation } from 'react-router'
import type { DriftRow, NEVER_KINDS, SEEN_KINDS } from '#contract/drifts.ts'
import { platformEntries } from '#contract/entries.ts'
import { contract } from '#contract/index.ts'
import { Desk } from '../../ui/Desk.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Page } from '../../ui/Page.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { Refreshed } from '../../ui/Refreshed.tsx'
import { Since } from '../../ui/Since.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { useWorkspace } from '../../wire/useWorkspace.ts'
import { CopyReport } from './CopyReport.tsx'
import classes from './Drift.module.css'
import { DriftPane } from './DriftPane.tsx'
import { neverKinds, seenKinds } from './kinds.ts'
import { driftWords } from './messages.ts'
import { NeverTable } from './NeverTable.tsx'
import { SeenTable } from './SeenTable.tsx'
import { useReport } from './useReport.ts'

const LIMIT = 50
const OPERATIONS = [...platformEntries.keys()]

/** `/drift`: what a workspace's platform sent that the contract does not know, and what of the contract it never sent. */
export function DriftPage() {
  const t = useWords(driftWords)
  const { workspace, isLoading, problem: workspaceProblem, retry } = useWorkspace()
  const { search: address } = useLocation()
  const list = useListState()
  const isNever = list.get('view') === 'never'
  const operation = list.get('operation')
  const kind = list.get('kind')
  const isFiltered = Boolean(operation ?? kind)
  const query = {
    workspace: workspace?.id ?? '',
    ...(operation ? { operation } : {}),
    page: Number(list.get('page') ?? 1),
    limit: Number(list.get('limit') ?? LIMIT),
  }
  const seen = useRead(
    contract.console.listDrift,
    { query: { ...query, ...(kind ? { kind: kind as (typeof SEEN_KINDS)[number] } : {}) } },
    { enabled: Boolean(workspace) && !isNever },
  )
  const never = useRead(
    contract.console.listNeverSeen,
    { query: { ...query, ...(kind ? { kind: kind as (typeof NEVER_KINDS)[number] } : {}) } },
    { enabled: Boolean(workspace) && isNever },
  )
  const report = useReport(workspace)
  const read = isNever ? never : seen
  const { data, error } = read
  const problem = workspaceProblem ?? error?.problem ?? null
  const isNone = data?.total === 0
  const current = list.get('drift')
  const linkTo = (id: string) => {
    const to = new URLSearchParams(address)
    to.set('drift', id)
    return `?${to.toString()}`
  }
  const clear = (
    <Button variant="default" onClick={() => list.set({ operation: null, kind: null })}>
      {t('clear')}
    </Button>
  )
  return (
    <Page
      title={t('title')}
      beside={data && !isNone ? <span className={classes.count}>{data.total.toLocaleString('en')}</span> : null}
      actions={data && !isNone ? <CopyReport {...report(data.data)} /> : null}
      toolbar={
        workspace ? (
          <>
            <NativeSelect
              aria-label={t('view')}
              value={isNever ? 'never' : 'seen'}
              onChange={(event) =>
                list.set({ view: event.currentTarget.value === 'never' ? 'never' : null, kind: null, drift: null })
              }
              data={[
                { value: 'seen', label: t('seen') },
                { value: 'never', label: t('never') },
              ]}
            />
            <NativeSelect
              aria-label={t('operation')}
              value={operation ?? ''}
              onChange={(event) => list.set({ operation: event.currentTarget.value })}
              data={[{ value: '', label: t('anyOperation') }, ...OPERATIONS]}
            />
            <NativeSelect
              aria-label={t('kind')}
              value={kind ?? ''}
              onChange={(event) => list.set({ kind: event.currentTarget.value })}
              data={[{ value: '', label: t('anyKind') }, ...(isNever ? neverKinds(t) : seenKinds(t))]}
            />
            <Refreshed busy={read.isFetching} onRefresh={() => void read.refetch()}>
              {read.dataUpdatedAt > 0
                ? t.rich('refreshed', { since: () => <Since at={new Date(read.dataUpdatedAt).toISOString()} ago /> })
                : null}
            </Refreshed>
          </>
        ) : undefined
      }
    >
      <title>{`${t('title')} · Loupe`}</title>
      <Desk
        problem={problem}
        what={t(workspaceProblem ? 'listWorkspaces' : 'listWhat')}
        onRetry={() => (workspaceProblem ? retry() : void read.refetch())}
        clear={clear}
        isHomeless={!workspace && !isLoading && !workspaceProblem}
        above={data && !problem ? noteOf() : null}
        rows={isNone || problem || (!workspace && !isLoading) ? null : rowsOf()}
        isOld={read.isPlaceholderData}
        pane={
          <DriftPane
            isOpen={current !== undefined && !isNever && Boolean(seen.data)}
            row={seen.data?.data.find(({ id }) => id === current)}
            report={(row: DriftRow) => report([row])}
            onClose={() => list.set({ drift: null, page: query.page > 1 ? query.page : null })}
          />
        }
      >
        {isNone && isFiltered && !problem ? <Empty title={t('noneTitle')} actions={clear} /> : null}
        {isNone && !isFiltered && !problem ? (
          isNever ? (
            <Empty title={t('allSeen')}>{t('allSeenText')}</Empty>
          ) : (
            <Empty title={t('emptyTitle')}>{t('emptyText', { workspace: workspace?.name ?? '' })}</Empty>
          )
        ) : null}
        {data && !isNone && !problem ? (
          <Pager
            page={data.page}
            limit={data.limit}
            total={data.total}
            onPage={(page) => list.set({ page })}
            onLimit={(limit) => list.set({ limit })}
          />
        ) : null}
      </Desk>
    </Page>
  )

  function rowsOf() {
    if (isNever) return <NeverTable rows={never.data?.data} />
    return <SeenTable rows={seen.data?.data} current={current} linkTo={linkTo} />
  }

  function noteOf() {
    if (!isNever) {
      const full = seen.data?.full ?? []
      if (isNone) return null
      return (
        <p className={classes.note} data-above>
          {t('seenNote')} {full.length > 0 ? t('full', { operations: full.join(', ') }) : null}
        </p>
      )
    }
    const since = never.data?.since
    return (
      <p className={classes.note} data-above>
        {since ? t.rich('neverNote', { since: () => <Since at={since} /> }) : t('nothingSeen')}
      </p>
    )
  }
}
