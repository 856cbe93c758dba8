import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { Problem } from '#contract/problem.ts'
import { type SavedItem, savedItemEndpoints } from '#contract/console/savedItems.ts'
import { call, buildUrl } from '../../client/http.ts'
import { useRead } from '../../client/query.ts'
import { type Board, parseBoard, emptyBoard } from './board.ts'
import { type BoardChange, BoardSync } from './boardSync.ts'
import { usePermission } from '../../client/usePermission.ts'

/** Milliseconds between reads of changes by others, and after the last key before a change is saved. */
const BOARD_POLL_INTERVAL_MS = 5_000
const SAVE_DELAY_MS = 400

export interface SavedBoard {
  /** Undefined while it is still to come. */
  savedItem: SavedItem | undefined
  board: Board
  /** Nothing for somebody who may not change it. */
  edit: (change: BoardChange) => void
  /** Saves all pending changes now; false if that failed. */
  save: () => Promise<boolean>
  problem: Problem | null
  retry: () => void
  unsaved: Problem | null
}

/** The board on the server, with the unsaved local changes applied. */
export function useBoard(board_id: string): SavedBoard {
  const client = useQueryClient()
  const canEdit = usePermission()(savedItemEndpoints.updateSavedItem)
  const read = useRead(savedItemEndpoints.readSavedItem, toBoardInputParams(board_id), {
    pollIntervalMs: BOARD_POLL_INTERVAL_MS,
  })
  const [sync] = useState(
    () =>
      new BoardSync({
        read: async () => {
          const { value, updated_at } = await call(savedItemEndpoints.readSavedItem, toBoardInputParams(board_id))
          return { board: parseBoard(value), updated_at }
        },
        write: async ({ board: value, updated_at: read_at }) => {
          const syncState = await call(savedItemEndpoints.updateSavedItem, {
            ...toBoardInputParams(board_id),
            body: { value, read_at },
          })
          const queryKey = [buildUrl(savedItemEndpoints.readSavedItem, toBoardInputParams(board_id))]
          // A poll that started earlier would restore the old state.
          await client.cancelQueries({ queryKey })
          client.setQueryData(queryKey, syncState)
        },
        delayMs: SAVE_DELAY_MS,
      }),
  )
  useEffect(() => {
    const flush = () => void sync.flush()
    addEventListener('pagehide', flush)
    return () => {
      removeEventListener('pagehide', flush)
      flush()
    }
  }, [sync])
  const { pending, problem } = useSyncExternalStore(sync.subscribe, sync.view)
  const kept = read.data?.kind === 'board' ? read.data : undefined
  const stored = useMemo(() => (kept ? parseBoard(kept.value) : emptyBoard), [kept])
  const board = useMemo(() => pending.reduce((made, change) => change(made), stored), [pending, stored])
  return {
    savedItem: kept,
    board,
    edit: (change) => (canEdit ? sync.add(change) : undefined),
    save: () => sync.flush(),
    problem: kept ? null : (read.error?.problem ?? (read.data ? INVALID_BOARD_PROBLEM : null)),
    retry: () => void read.refetch(),
    unsaved: problem,
  }
}

const toBoardInputParams = (saved_item_id: string) => ({ params: { saved_item_id } })

const INVALID_BOARD_PROBLEM: Problem = {
  kind: 'invalid',
  status: 404,
  message: 'This item is not a board.',
}
