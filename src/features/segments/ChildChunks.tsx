import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { contract } from '#contract/index.ts'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { useRead } from '../../wire/query.ts'
import classes from './Document.module.css'
import type { ChildChunkRecord } from '#contract/records.ts'

export interface ChildChunksProps {
  input: { dataset_id: string; document_id: string; segment_id: string }
  keyId: string | undefined
  marked: ChildChunkRecord | null
  onMark: (chunk: ChildChunkRecord | null) => void
}

/** The child chunks of a parent segment (operation 8). Choosing one marks its words in the parent's text. */
export function ChildChunks({ input, keyId, marked, onMark }: ChildChunksProps) {
  const t = useTranslations('segments')
  const [{ keyword, page, limit }, setList] = useState({ keyword: '', page: 1, limit: 20 })
  const { data, error, refetch } = useRead(contract.segments.listChildChunks, {
    key: keyId,
    params: input,
    query: { keyword, page, limit },
  })
  const total = data?.total ?? data?.data.length ?? 0
  const columns: Column<ChildChunkRecord>[] = [
    {
      head: t('content'),
      grow: true,
      cell: (chunk) => (
        <button
          type="button"
          className={classes.choose}
          aria-pressed={chunk.id === marked?.id}
          onClick={() => onMark(chunk.id === marked?.id ? null : chunk)}
        >
          {chunk.content ?? chunk.id.slice(0, 8)}
        </button>
      ),
    },
    { head: t('words'), number: true, cell: ({ word_count }) => word_count?.toLocaleString() },
    { head: t('tokens'), number: true, cell: ({ tokens }) => tokens?.toLocaleString() },
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
        <SearchField
          label={t('childSearch')}
          value={keyword}
          onSearch={(words) => setList({ keyword: words, page: 1, limit })}
        />
      </header>
      {error ? <ProblemNote problem={error.problem} what={t('childWhat')} onRetry={() => void refetch()} /> : null}
      {data?.data.length === 0 ? <p className={classes.none}>{t('noChildren')}</p> : null}
      {error || data?.data.length === 0 ? null : (
        <Table
          label={t('childChunks')}
          columns={columns}
          rows={data?.data}
          keyOf={({ id }) => id}
          isMarked={({ id }) => id === marked?.id}
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
