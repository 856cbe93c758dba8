import { Box, Group, Text, UnstyledButton } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { segmentEndpoints } from '#contract/platform/segments.ts'
import type { ChildChunkRecord } from '#domain/documentRecord.ts'
import { SearchField } from '../../../components/forms/SearchField.tsx'
import { Pager } from '../../../components/data/Pager.tsx'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { type TableColumn, Table } from '../../../components/data/Table.tsx'
import { fieldMessages } from '../../../components/forms/messages.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { useChunkDrafts } from '../chunkDrafts.ts'
import type { SegmentTarget } from './useChildChunks.ts'
import classes from './Document.module.css'
import { segmentMessages } from './messages.ts'

export interface ChildChunksProps {
  input: SegmentTarget
  keyId: string | undefined
  /** All children in their order, for their numbers; undefined until they are read. */
  orderedChunks: readonly ChildChunkRecord[] | undefined
  current: string | undefined
  onOpen: (child_chunk_id: string | null) => void
  addButton: ReactNode
}

/** The child chunks of a parent segment (operation 8). Choosing one opens it in the editor and marks its words. */
export function ChildChunks({ input, keyId, orderedChunks, current, onOpen, addButton }: ChildChunksProps) {
  const t = useMessages(segmentMessages)
  const field = useMessages(fieldMessages)
  const [{ keyword, page, limit }, setList] = useState({ keyword: '', page: 1, limit: 20 })
  const read = useRead(segmentEndpoints.listChildChunks, {
    key: keyId,
    params: { ...input },
    query: { keyword, page, limit },
  })
  const total = read.data?.total ?? read.data?.data.length ?? 0
  const drafts = new Set(useChunkDrafts().map(({ chunk }) => chunk))
  const columns: TableColumn<ChildChunkRecord>[] = [
    { header: t('number'), isNumeric: true, cell: ({ id }) => findChunkNumber(orderedChunks, id) },
    {
      header: t('content'),
      grows: true,
      cell: (chunk) => (
        <UnstyledButton
          className={classes.choose}
          aria-pressed={chunk.id === current}
          onClick={() => onOpen(chunk.id === current ? null : chunk.id)}
        >
          {chunk.content ?? chunk.id.slice(0, 8)}
        </UnstyledButton>
      ),
    },
    { header: field('word_count'), isNumeric: true, cell: ({ word_count }) => word_count?.toLocaleString('en') },
    { header: t('tokens'), isNumeric: true, cell: ({ tokens }) => tokens?.toLocaleString('en') },
    {
      header: t('state'),
      cell: ({ id, status }) => {
        const shown = drafts.has(id) ? 'not saved' : status
        return shown ? <StatusBadge status={shown} isPlain={shown !== status || status === 'completed'} /> : null
      },
    },
  ]
  const renderTable = (rows: readonly ChildChunkRecord[] | undefined) => (
    <Table
      label={t('childChunks')}
      columns={columns}
      rows={rows}
      getKey={({ id }) => id}
      isHighlighted={({ id }) => id === current}
    />
  )
  return (
    <Box bd="1px solid var(--line)" bdrs="lg" style={{ overflow: 'hidden' }}>
      <Group component="header" gap="sm" px="md" py="xs" bg="var(--sunken)">
        <Text component="h3" fz={13} fw={600}>
          {t('childChunks')}
        </Text>
        {read.data ? <CountMark count={total} /> : null}
        <Group gap="sm" ml="auto">
          <SearchField
            label={t('childSearch')}
            value={keyword}
            onSearch={(words) => setList({ keyword: words, page: 1, limit })}
          />
          {addButton}
        </Group>
      </Group>
      <ReadBoundary
        read={read}
        action={t('childWhat')}
        loading={renderTable(undefined)}
        isEmpty={({ data }) => data.length === 0}
        empty={
          <Text fz="sm" c="dimmed" p="md">
            {t('noChildren')}
          </Text>
        }
      >
        {({ data }) => renderTable(data)}
      </ReadBoundary>
      {total > 10 ? (
        <Pager
          page={page}
          limit={limit}
          total={total}
          onPage={(next) => setList({ keyword, page: next, limit })}
          onLimit={(size) => setList({ keyword, page: 1, limit: size })}
        />
      ) : null}
    </Box>
  )
}

export const CountMark = ({ count }: { count: number }) => (
  <Text
    span
    fz="xs"
    fw={400}
    c="dimmed"
    bg="var(--hover)"
    px={6}
    bdrs="sm"
    style={{ fontVariantNumeric: 'tabular-nums' }}
  >
    {count.toLocaleString('en')}
  </Text>
)

function findChunkNumber(order: readonly ChildChunkRecord[] | undefined, id: string): number | null {
  const at = order?.findIndex((one) => one.id === id) ?? -1
  return at === -1 ? null : at + 1
}
