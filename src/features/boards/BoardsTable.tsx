import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { type SavedItem, savedItemEndpoints } from '#contract/console/savedItems.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import type { ProblemError } from '#contract/problem.ts'
import { paths } from '#domain/paths.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { RelativeTime } from '../../components/data/RelativeTime.tsx'
import { type TableColumn, Table } from '../../components/data/Table.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { call } from '../../client/http.ts'
import { invalidateTags } from '../../client/query.ts'
import { findApp } from './appOptions.ts'
import { parseBoard, MAX_CELLS } from './board.ts'
import { BoardDialog, BoardMenu } from './BoardMenu.tsx'
import classes from './Board.module.css'
import { boardMessages } from './messages.ts'
import { addToBoard, type BoardAddition } from './boardCreation.ts'

export interface BoardsTableProps {
  /** Undefined while they are still to come. */
  boards: readonly SavedItem[] | undefined
  workspaces: readonly Workspace[]
  /** What is to be put on one of them, in place of opening it. */
  addition: BoardAddition | null
}

/** The boards of a workspace, newest first. */
export function BoardsTable({ boards, workspaces, addition }: BoardsTableProps) {
  const t = useMessages(boardMessages)
  const navigate = useNavigate()
  const [dialogBoard, openDialog] = useState<{ id: string; asks: 'name' | 'delete' } | null>(null)
  const client = useQueryClient()
  const open = ({ id, workspace }: SavedItem) => void navigate(paths.board(id, { workspace }))
  const update = useMutation<SavedItem, ProblemError, { id: string; what: BoardAddition }>({
    // To the board as it is now: others may have changed it since it was listed.
    mutationFn: async ({ id, what }) => {
      const params = { saved_item_id: id }
      const { value, updated_at: read_at } = await call(savedItemEndpoints.readSavedItem, { params })
      const body = { value: addToBoard(parseBoard(value), what), read_at }
      return call(savedItemEndpoints.updateSavedItem, { params, body })
    },
    onSuccess: (savedBoard) => {
      void invalidateTags(client, savedItemEndpoints.updateSavedItem.tags)
      open(savedBoard)
    },
  })
  const columns: TableColumn<SavedItem>[] = [
    {
      header: t('board'),
      grows: true,
      cell: ({ id, name, workspace }) => (
        <Link to={paths.board(id, { workspace })} dir="auto">
          {name}
        </Link>
      ),
    },
    {
      header: t('cells'),
      cell: ({ value }) => {
        const { cells } = parseBoard(value)
        const names = cells.map(({ key }) => findApp(workspaces, key)?.key.label ?? t('finishedRun'))
        return (
          <span className={classes.names} title={names.join(', ')}>
            {t('cellCount', { count: cells.length })} <small>{[...new Set(names)].join(', ')}</small>
          </span>
        )
      },
    },
    { header: t('person'), cell: ({ person }) => person },
    { header: t('changedAt'), isNumeric: true, cell: ({ updated_at }) => <RelativeTime at={updated_at} /> },
    {
      header: t('actions'),
      cell: (savedBoard) => {
        const freeCells = MAX_CELLS - parseBoard(savedBoard.value).cells.length
        const neededCells = Number(addition?.run != null) + Number(addition?.app != null)
        if (!addition)
          return (
            <BoardMenu
              savedBoard={savedBoard}
              onAsk={(dialog) => openDialog({ id: savedBoard.id, asks: dialog })}
              onCopied={() => undefined}
            />
          )
        return (
          <Button
            variant="default"
            size="compact-xs"
            aria-label={freeCells < neededCells ? undefined : t('putOn', { name: savedBoard.name })}
            disabled={freeCells < neededCells}
            loading={update.isPending}
            onClick={() => update.mutate({ id: savedBoard.id, what: addition })}
          >
            {freeCells < neededCells ? t('full') : t('put')}
          </Button>
        )
      },
    },
  ]
  const selectedBoard = boards?.find(({ id }) => id === dialogBoard?.id)
  return (
    <>
      {selectedBoard && dialogBoard ? (
        <BoardDialog
          key={`${dialogBoard.id}${dialogBoard.asks}`}
          savedBoard={selectedBoard}
          dialog={dialogBoard.asks}
          onDone={() => openDialog(null)}
        />
      ) : null}
      {update.error ? (
        <div className={classes.problem}>
          <ProblemAlert problem={update.error.problem} action={t('putWhat')} />
        </div>
      ) : null}
      <Table
        label={t('boards')}
        columns={columns}
        rows={boards}
        getKey={({ id }) => id}
        isCurrent={({ id }) => id === dialogBoard?.id}
      />
    </>
  )
}
