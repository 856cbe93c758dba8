import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { contract } from '#contract/index.ts'
import type { Kept } from '#contract/kept.ts'
import type { Problem } from '#contract/problem.ts'
import { call, urlOf } from '../../wire/call.ts'
import { useRead } from '../../wire/query.ts'
import { type Board, boardOf, noBoard } from './board.ts'
import { type Change, Edits } from './edits.ts'
import { useMay } from '../../wire/useMay.ts'

/** Milliseconds between looks at what others have done with the board, and after the last key before it is kept. */
const POLL = 5_000
const REST = 400

export interface KeptBoard {
  /** Undefined while it is still to come. */
  kept: Kept | undefined
  board: Board
  /** Nothing for somebody who may not change it. */
  edit: (change: Change) => void
  /** Has all that was changed kept at once; false where that was refused. */
  save: () => Promise<boolean>
  problem: Problem | null
  retry: () => void
  /** Why a change could not be kept. */
  unsaved: Problem | null
}

/** A board as the server keeps it, with what is changed here and not kept yet. */
export function useBoard(board_id: string): KeptBoard {
  const client = useQueryClient()
  const may = useMay()(contract.console.updateKept)
  const read = useRead(contract.console.readKept, inputOf(board_id), { poll: POLL })
  const [edits] = useState(
    () =>
      new Edits({
        read: async () => boardOf((await call(contract.console.readKept, inputOf(board_id))).value),
        write: async (value) => {
          const saved = await call(contract.console.updateKept, { ...inputOf(board_id), body: { value } })
          const queryKey = [urlOf(contract.console.readKept, inputOf(board_id))]
          // A look that began before would bring back what was.
          await client.cancelQueries({ queryKey })
          client.setQueryData(queryKey, saved)
        },
        rest: REST,
      }),
  )
  useEffect(() => {
    const flush = () => void edits.flush()
    addEventListener('pagehide', flush)
    return () => {
      removeEventListener('pagehide', flush)
      flush()
    }
  }, [edits])
  const { pending, problem } = useSyncExternalStore(edits.subscribe, edits.view)
  const kept = read.data?.kind === 'board' ? read.data : undefined
  const stored = useMemo(() => (kept ? boardOf(kept.value) : noBoard), [kept])
  const board = useMemo(() => pending.reduce((made, change) => change(made), stored), [pending, stored])
  return {
    kept,
    board,
    edit: (change) => (may ? edits.add(change) : undefined),
    save: () => edits.flush(),
    problem: kept ? null : (read.error?.problem ?? (read.data ? NO_BOARD : null)),
    retry: () => void read.refetch(),
    unsaved: problem,
  }
}

const inputOf = (kept_id: string) => ({ params: { kept_id } })

const NO_BOARD: Problem = { kind: 'invalid', status: 404, message: 'What is kept under this id is no board.' }
