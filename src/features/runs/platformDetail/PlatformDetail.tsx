import { Button, Flex, Group, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import type { EndpointReply } from '#contract/endpoint.ts'
import { workflowEndpoints } from '#contract/platform/workflows.ts'
import { asRecord } from '#domain/stream/untrustedJson.ts'
import { isEmptyDetail, parseJsonText } from '#domain/workflowRun/runDetail.ts'
import type { RunState } from '#domain/workflowRun/runState.ts'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { RawJson } from '../../../components/data/json/RawJson.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { type TableColumn, Table } from '../../../components/data/Table.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { isLongOver, isTurnOver, type Turn } from '../turn.ts'
import { timelineMessages } from '../timeline/messages.ts'

const DETAIL_POLL_INTERVAL_MS = 4_000

/** The platform's current record of a finished workflow run (operation 12), compared with its stream. */
export function PlatformDetail({ turn, app }: { turn: Turn; app: string }) {
  const t = useMessages(timelineMessages)
  const { run } = turn.answer
  const id = run.workflow_run_id
  const read = useRead(
    workflowEndpoints.readRun,
    { key: app, params: { workflow_run_id: id ?? '' } },
    {
      // The platform keeps no run of refused inputs.
      enabled: id !== null && isTurnOver(turn) && turn.state !== 'refused',
      pollIntervalMs: (reply) => (reply?.status === 'running' && !isLongOver(turn) ? DETAIL_POLL_INTERVAL_MS : false),
    },
  )
  if (!isTurnOver(turn) || turn.state === 'refused') return null
  const isStructure = ({ name }: ComparedField) => name === 'inputs' || name === 'outputs'
  const columns: TableColumn<ComparedField>[] = [
    { header: t('field'), isMono: true, cell: ({ name }) => name },
    { header: t(run.told ? 'storedValue' : 'streamValue'), cell: (fact) => renderValue(fact, fact.streamed) },
    { header: t('platformValue'), cell: (fact) => renderValue(fact, fact.now) },
  ]
  return (
    <Flex component="section" direction="column" gap="sm" aria-label={t('detail')}>
      <Group justify="space-between" gap="sm">
        <Text component="h2" {...HEADING_STYLE}>
          {t('detail')}
        </Text>
        {id === null ? null : (
          <Button
            variant="subtle"
            color="gray"
            loading={read.isFetching}
            leftSection={<IconRefresh size={14} />}
            onClick={() => void read.refetch()}
          >
            {t('askAgain')}
          </Button>
        )}
      </Group>
      {id === null ? <Note>{t('noRunId')}</Note> : null}
      <ReadBoundary
        read={read}
        action={t('detailWhat')}
        loading={<SkeletonRows rows={4} />}
        isEmpty={isEmptyDetail}
        empty={<Note>{t('blank')}</Note>}
      >
        {renderDetail}
      </ReadBoundary>
    </Flex>
  )

  function renderDetail(detail: RunDetail) {
    const fields = compareRunDetail(run, detail)
    const differing = fields.filter(({ differs }) => differs)
    return (
      <>
        <Note>
          {differing.length === 0
            ? t(run.told ? 'matchesStored' : 'agrees')
            : t('differs', { count: differing.length })}
        </Note>
        {detail.status === 'running' && isLongOver(turn) ? (
          <Note>{t('stillSays', { status: detail.status })}</Note>
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
            <Text component="h3" {...HEADING_STYLE} mb="xs">
              {t('now', { name })}
            </Text>
            <RawJson value={now} label={t('now', { name })} />
          </section>
        ))}
      </>
    )
  }

  function renderValue(fact: ComparedField, value: unknown) {
    if (value === null) return undefined
    if (fact.name === 'status' && typeof value === 'string') return <StatusBadge status={value} isPlain />
    if (isStructure(fact)) return t(fact.differs ? 'isOther' : 'isSame', { size: JSON.stringify(value).length })
    return <code>{typeof value === 'object' ? JSON.stringify(value) : String(value)}</code>
  }
}

const HEADING_STYLE = { size: 'sm', fw: 550, c: 'dimmed' } as const

const Note = ({ children }: { children: string }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
)

/** The reply of operation 12. */
type RunDetail = EndpointReply<typeof workflowEndpoints.readRun>

const COMPARED_FIELDS = [
  'status',
  'error',
  'elapsed_time',
  'total_tokens',
  'total_steps',
  'created_at',
  'finished_at',
  'inputs',
  'outputs',
] as const

/** One field of a run: the value from its stream, and the platform's current value. */
interface ComparedField {
  name: (typeof COMPARED_FIELDS)[number]
  streamed: unknown
  now: unknown
  differs: boolean
}

/**
 * The fields of a run from both sources. Operation 12 may return inputs and outputs as JSON text; they are parsed
 * before the comparison.
 */
export const compareRunDetail = (run: RunState, detail: RunDetail): ComparedField[] =>
  COMPARED_FIELDS.map((name) => {
    const streamed = parseJsonText(run[name])
    const now = parseJsonText(detail[name])
    const compared = name === 'inputs' ? withoutAddedVariables(now, streamed) : now
    return { name, streamed, now, differs: toComparableText(streamed) !== toComparableText(compared) }
  })

/** The inputs now, without the platform's own variables that it added after the stream, such as `sys.timestamp`. */
function withoutAddedVariables(now: unknown, streamed: unknown): unknown {
  const [before, after] = [asRecord(streamed), asRecord(now)]
  if (!before || !after) return now
  return Object.fromEntries(
    Object.entries(after).filter(([name]) => Object.hasOwn(before, name) || !name.startsWith('sys.')),
  )
}

/** Serializes a value independent of key order; times are rounded to milliseconds. */
const toComparableText = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) => {
    if (typeof part === 'number') return Number.isInteger(part) ? part : Number(part.toFixed(3))
    const record = asRecord(part)
    if (!record) return part
    return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
