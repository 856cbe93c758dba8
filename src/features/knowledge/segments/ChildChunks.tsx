import { type ReactNode, useState } from 'react'
import { segmentEndpoints } from '#contract/platform/segments.ts'
import type { ChildChunkRecord } from '#domain/documentRecord.ts'
import { SearchField } from '../../../components/forms/SearchField.tsx'
import { Pager } from '../../../components/data/Pager.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
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
  const { data, error, refetch } = useRead(segmentEndpoints.listChildChunks, {
    key: keyId,
    params: { ...input },
    query: { keyword, page, limit },
  })
  const total = data?.total ?? data?.data.length ?? 0
  const drafts = new Set(useChunkDrafts().map(({ chunk }) => chunk))
  const columns: TableColumn<ChildChunkRecord>[] = [
    { header: t('number'), isNumeric: true, cell: ({ id }) => findChunkNumber(orderedChunks, id) },
    {
      header: t('content'),
      grows: true,
      cell: (chunk) => (
        <button
          type="button"
          className={classes.choose}
          aria-pressed={chunk.id === current}
          onClick={() => onOpen(chunk.id === current ? null : chunk.id)}
        >
          {chunk.content ?? chunk.id.slice(0, 8)}
        </button>
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
  return (
    <div className={classes.card}>
      <header>
        <h3>{t('childChunks')}</h3>
        {data ? <span className={classes.count}>{total}</span> : null}
        <span className={classes.tools}>
          <SearchField
            label={t('childSearch')}
            value={keyword}
            onSearch={(words) => setList({ keyword: words, page: 1, limit })}
          />
          {addButton}
        </span>
      </header>
      {error ? <ProblemAlert problem={error.problem} action={t('childWhat')} onRetry={() => void refetch()} /> : null}
      {data?.data.length === 0 ? <p className={classes.none}>{t('noChildren')}</p> : null}
      {error || data?.data.length === 0 ? null : (
        <Table
          label={t('childChunks')}
          columns={columns}
          rows={data?.data}
          getKey={({ id }) => id}
          isHighlighted={({ id }) => id === current}
        />
      )}
      {total > 10 ? (
        <Pager
          page={page}
          limit={limit}
          total={total}
          onPage={(next) => setList({ keyword, page: next, limit })}
          onLimit={(size) => setList({ keyword, page: 1, limit: size })}
        />
      ) : null}
    </div>
  )
}

function findChunkNumber(order: readonly ChildChunkRecord[] | undefined, id: string): number | null {
  const at = order?.findIndex((one) => one.id === id) ?? -1
  return at === -1 ? null : at + 1
}
