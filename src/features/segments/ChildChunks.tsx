import { type ReactNode, useState } from 'react'
import { contract } from '#contract/index.ts'
import type { ChildChunkRecord } from '#contract/records.ts'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import type { SegmentInput } from './children.ts'
import classes from './Document.module.css'
import { segmentsWords } from './messages.ts'

export interface ChildChunksProps {
  input: SegmentInput
  keyId: string | undefined
  /** All children in their order, for their numbers; undefined until they are read. */
  order: readonly ChildChunkRecord[] | undefined
  current: string | undefined
  onOpen: (child_chunk_id: string | null) => void
  add: ReactNode
}

/** The child chunks of a parent segment (operation 8). Choosing one opens it in the editor and marks its words. */
export function ChildChunks({ input, keyId, order, current, onOpen, add }: ChildChunksProps) {
  const t = useWords(segmentsWords)
  const [{ keyword, page, limit }, setList] = useState({ keyword: '', page: 1, limit: 20 })
  const { data, error, refetch } = useRead(contract.segments.listChildChunks, {
    key: keyId,
    params: { ...input },
    query: { keyword, page, limit },
  })
  const total = data?.total ?? data?.data.length ?? 0
  const columns: Column<ChildChunkRecord>[] = [
    { head: t('number'), number: true, cell: ({ id }) => numberOf(order, id) },
    {
      head: t('content'),
      grow: true,
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
    { head: t('words'), number: true, cell: ({ word_count }) => word_count?.toLocaleString('en') },
    { head: t('tokens'), number: true, cell: ({ tokens }) => tokens?.toLocaleString('en') },
    {
      head: t('state'),
      cell: ({ status }) => (status ? <StateBadge word={status} plain={status === 'completed'} /> : null),
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
          {add}
        </span>
      </header>
      {error ? <ProblemNote problem={error.problem} what={t('childWhat')} onRetry={() => void refetch()} /> : null}
      {data?.data.length === 0 ? <p className={classes.none}>{t('noChildren')}</p> : null}
      {error || data?.data.length === 0 ? null : (
        <Table
          label={t('childChunks')}
          columns={columns}
          rows={data?.data}
          keyOf={({ id }) => id}
          isMarked={({ id }) => id === current}
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

function numberOf(order: readonly ChildChunkRecord[] | undefined, id: string): number | null {
  const at = order?.findIndex((one) => one.id === id) ?? -1
  return at === -1 ? null : at + 1
}
