import { Button, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import { type WaitingRun, formEndpoints } from '#contract/console/forms.ts'
import { paths } from '#domain/paths.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { type TableColumn, Table } from '../../../components/data/Table.tsx'
import { useHasPassed } from '../../../components/hooks/useHasPassed.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { useRead } from '../../../client/query.ts'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import { formMessages } from '../forms/messages.ts'

const WAITING_POLL_INTERVAL_MS = 5_000

/** `/waiting`: runs of all workspaces that wait for a person, the earliest deadline first. */
export function WaitingPage() {
  const t = useMessages(formMessages)
  const { workspaces } = useWorkspace()
  const read = useRead(formEndpoints.listWaiting, { query: {} }, { pollIntervalMs: WAITING_POLL_INTERVAL_MS })
  const findApp = ({ run }: WaitingRun) =>
    workspaces.flatMap(({ keys }) => keys).find(({ id }) => id === run.key)?.label ??
    t('deletedKey', { id: run.key.slice(0, 8) })
  const toRunPath = ({ run }: WaitingRun) => paths.run(run.id, { workspace: run.workspace })
  const columns: TableColumn<WaitingRun>[] = [
    {
      header: t('run'),
      grows: true,
      cell: (row) => (
        <Group component="span" gap="sm" wrap="nowrap">
          <StatusBadge status={row.run.status} isPlain />
          <Link to={toRunPath(row)} dir="auto">
            {row.run.title || t('untitled')}
          </Link>
        </Group>
      ),
    },
    {
      header: t('waitsFor'),
      cell: ({ forms }) =>
        forms.length === 0 ? t('noFormTold') : forms.map(({ node_title }) => node_title).join(', '),
    },
    { header: t('deadline'), cell: (row) => <Deadline row={row} /> },
    { header: t('app'), cell: findApp },
    {
      header: t('workspace'),
      cell: ({ run }) => workspaces.find(({ id }) => id === run.workspace)?.name ?? run.workspace.slice(0, 8),
    },
    { header: t('user'), isMono: true, cell: ({ run }) => run.user },
    { header: t('started'), isNumeric: true, cell: ({ run }) => <RelativeTime at={run.created_at} /> },
  ]
  const renderRuns = (rows: readonly WaitingRun[] | undefined) => (
    <>
      <Text px="lg" py="md" fz="sm" c="dimmed">
        {t('waitingText')}
      </Text>
      <Table label={t('waitingTitle')} columns={columns} rows={rows} getKey={({ run }) => run.id} />
    </>
  )
  return (
    <Page
      title={t('waitingTitle')}
      titleSuffix={
        read.data && read.data.total > 0 ? (
          <Text span fz="sm" c="var(--text-3)">
            {read.data.total}
          </Text>
        ) : null
      }
    >
      <title>{`${t('waitingTitle')} · Loupe`}</title>
      <ReadBoundary
        read={read}
        action={t('listWaitingWhat')}
        isInset
        loading={renderRuns(undefined)}
        isEmpty={({ total }) => total === 0}
        empty={
          <EmptyState
            title={t('waitingEmpty')}
            actions={
              <Button variant="default" component={Link} to={paths.runs()}>
                {t('runs')}
              </Button>
            }
          >
            {t('waitingEmptyText')}
          </EmptyState>
        }
      >
        {({ data, total }) => (
          <>
            {renderRuns(data)}
            {total > data.length ? (
              <Text px="lg" py="md" fz="sm" c="dimmed">
                {t('shownOf', { shown: data.length, total })}
              </Text>
            ) : null}
          </>
        )}
      </ReadBoundary>
    </Page>
  )
}

/** The earliest deadline of a run. */
function Deadline({ row }: { row: WaitingRun }) {
  const t = useMessages(formMessages)
  const at = row.forms.flatMap(({ expires_at }) => expires_at ?? []).sort()[0]
  const hasPassed = useHasPassed(at ?? null)
  if (at === undefined) return row.forms.length === 0 ? null : t('neverExpires')
  return hasPassed ? t.rich('passed', { at: () => <RelativeTime at={at} /> }) : <RelativeTime at={at} />
}
