import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Workspace } from '#contract/console.ts'
import type { Kept } from '#contract/kept.ts'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Since } from '../../ui/Since.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import { appOf } from './apps.ts'
import { boardOf, MOST_CELLS } from './board.ts'
import { BoardDeed, BoardMenu } from './BoardMenu.tsx'
import classes from './Board.module.css'
import { compareWords } from './messages.ts'
import { boardWith, type Wanted } from './newBoard.ts'

export interface BoardsTableProps {
  /** Undefined while they are still to come. */
  boards: readonly Kept[] | undefined
  workspaces: readonly Workspace[]
  /** What is to be put on one of them, in place of opening it. */
  wanted: Wanted | null
}

/** The boards of a workspace, newest first. */
export function BoardsTable({ boards, workspaces, wanted }: BoardsTableProps) {
  const t = useWords(compareWords)
  const navigate = useNavigate()
  const [asked, ask] = useState<{ id: string; asks: 'name' | 'delete' } | null>(null)
  const update = useWrite(contract.console.updateKept)
  const open = ({ id, workspace }: Kept) => void navigate(paths.board(id, { workspace }))
  const put = (kept: Kept, what: Wanted) =>
    update.mutate(
      { params: { kept_id: kept.id }, body: { value: boardWith(boardOf(kept.value), what) } },
      { onSuccess: open },
    )
  const columns: Column<Kept>[] = [
    {
      head: t('board'),
      grow: true,
      cell: ({ id, name, workspace }) => (
        <Link to={paths.board(id, { workspace })} dir="auto">
          {name}
        </Link>
      ),
    },
    {
      head: t('cells'),
      cell: ({ value }) => {
        const { cells } = boardOf(value)
        const names = cells.map(({ key }) => appOf(workspaces, key)?.key.label ?? t('finishedRun'))
        return (
          <span className={classes.names} title={names.join(', ')}>
            {t('cellCount', { count: cells.length })} <small>{[...new Set(names)].join(', ')}</small>
          </span>
        )
      },
    },
    { head: t('person'), cell: ({ person }) => person },
    { head: t('changedAt'), number: true, cell: ({ updated_at }) => <Since at={updated_at} /> },
    {
      head: t('moreHere'),
      cell: (kept) => {
        const room = MOST_CELLS - boardOf(kept.value).cells.length
        const needed = Number(wanted?.run != null) + Number(wanted?.app != null)
        if (!wanted)
          return <BoardMenu kept={kept} onAsk={(asks) => ask({ id: kept.id, asks })} onCopied={() => undefined} />
        return (
          <Button
            variant="default"
            size="compact-xs"
            aria-label={room < needed ? undefined : t('putOn', { name: kept.name })}
            disabled={room < needed}
            loading={update.isPending}
            onClick={() => put(kept, wanted)}
          >
            {room < needed ? t('full') : t('put')}
          </Button>
        )
      },
    },
  ]
  const chosen = boards?.find(({ id }) => id === asked?.id)
  return (
    <>
      {chosen && asked ? (
        <BoardDeed key={`${asked.id}${asked.asks}`} kept={chosen} asks={asked.asks} onDone={() => ask(null)} />
      ) : null}
      {update.error ? (
        <div className={classes.problem}>
          <ProblemNote problem={update.error.problem} what={t('putWhat')} />
        </div>
      ) : null}
      <Table
        label={t('boards')}
        columns={columns}
        rows={boards}
        keyOf={({ id }) => id}
        isCurrent={({ id }) => id === asked?.id}
      />
    </>
  )
}
