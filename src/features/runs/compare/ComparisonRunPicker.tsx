import { Group, Stack } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import type { Run } from '#contract/console/runs.ts'
import { runEndpoints } from '#contract/console/runEndpoints.ts'
import { formatCount, formatSeconds } from '#domain/metricFormat.ts'
import { SearchField } from '../../../components/forms/SearchField.tsx'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { CursorPager } from '../../../components/data/CursorPager.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { type TableColumn, Table } from '../../../components/data/Table.tsx'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { runListMessages } from '../list/messages.ts'
import { RunHeading, RunNote } from '../page/RunSection.tsx'

/** Selects the run to compare with: runs of the same kind, newest first. */
export function ComparisonRunPicker({
  run_id,
  entry,
  workspace,
}: {
  run_id: string
  entry: Run['entry']
  workspace: string
}) {
  const t = useMessages(runListMessages)
  const { get, set } = useSearchParamState()
  const { search } = useLocation()
  const q = get('q')
  const read = useRead(runEndpoints.listRuns, {
    query: { workspace: workspace || undefined, entry, q, before: get('before'), limit: 20 },
  })
  const linkTo = (id: string) => {
    const to = new URLSearchParams(search)
    to.set('with', id)
    to.delete('before')
    to.delete('q')
    return `?${to.toString()}`
  }
  const columns: TableColumn<Run>[] = [
    {
      header: t('run'),
      grows: true,
      cell: (one) => (
        <Group component="span" gap="sm" wrap="nowrap">
          {one.status === 'succeeded' ? null : <StatusBadge status={one.status} isPlain />}
          <Link to={linkTo(one.id)} dir="auto">
            {one.title || t('untitled')}
          </Link>
        </Group>
      ),
    },
    { header: 'id', isMono: true, cell: ({ id }) => id.slice(0, 8) },
    {
      header: t('duration'),
      isNumeric: true,
      cell: ({ duration_ms }) =>
        duration_ms === null ? t('none') : t('secondsShort', { seconds: formatSeconds(duration_ms) }),
    },
    {
      header: t('tokens'),
      isNumeric: true,
      cell: ({ total_tokens }) => (total_tokens === null ? null : formatCount(total_tokens)),
    },
    { header: t('started'), isNumeric: true, cell: ({ created_at }) => <RelativeTime at={created_at} /> },
  ]
  const table = { label: t('chooseTitle'), columns, getKey: ({ id }: Run) => id }
  return (
    <Stack component="section" gap="lg" maw={820} mx="auto" aria-label={t('chooseTitle')}>
      <RunHeading>{t('chooseTitle')}</RunHeading>
      <SearchField label={t('search')} value={q ?? ''} onSearch={(words) => set({ q: words })} />
      <ReadBoundary read={read} action={t('listWhat')} loading={<Table {...table} rows={undefined} />}>
        {({ data, total, total_capped, next }) => (
          <>
            {total === 0 && next === null ? <RunNote>{t('noneTitle')}</RunNote> : null}
            <Table {...table} rows={data.filter(({ id }) => id !== run_id)} />
            {next === null && total !== null ? null : (
              <CursorPager
                total={total}
                isTotalCapped={total_capped}
                nextCursor={next}
                rows={data.length}
                onPage={(before) => set({ before })}
              />
            )}
          </>
        )}
      </ReadBoundary>
    </Stack>
  )
}
