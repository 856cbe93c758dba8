import { z } from 'zod'
import { endpoint, Id, PathSegmentId } from '../endpoint.ts'
import { Problem } from '../problem.ts'
import { storable } from '../storable.ts'
import { BATCH_ROW_STATES, BATCH_STATES, PAUSE_REASONS } from './batches.ts'

/**
 * The rounds of a board: rows of one batch that has the board's id. The server sends them without a browser, each with the
 * key, the version and the request of its cell. The board itself is a saved item.
 */

/** The maximum number of cells of a board, and of rounds of a cell. */
export const MAX_BOARD_CELLS = 6
export const MAX_BOARD_ROUNDS = 10

/** Whether a round waits for the earlier ones of its cell. */
export const BOARD_PACES = ['one_by_one', 'at_once'] as const
export type BoardPace = (typeof BOARD_PACES)[number]

const CellId = storable(z.string().min(1).max(100))

/** What a round asks: the body of the operation of its key, and the version of a workflow or chatflow; null for the current one. */
const roundRequestFields = {
  body: storable(z.record(z.string(), z.unknown())),
  workflow_id: PathSegmentId.nullable().default(null),
}

export const BoardRound = z.object({
  /** Of the row: rounds of a cell are in the order of their numbers. */
  number: z.number(),
  cell: z.string(),
  state: z.enum(BATCH_ROW_STATES),
  /** False where the reader may not use its key: then it has no run and no problem. */
  is_visible: z.boolean(),
  key: z.string().nullable(),
  /** Its run; null before it is sent. */
  run: z.string().nullable(),
  /** False for a round of an earlier version that was never sent: what it asks is given when it is sent. */
  has_request: z.boolean(),
  /** Why it was not sent, or waits again. */
  problem: Problem.nullable(),
})
export type BoardRound = z.output<typeof BoardRound>

export const BoardRounds = z.object({
  /** `ended` also for a board without rounds. A paused board has rounds that are sent when a person resumes it. */
  state: z.enum(BATCH_STATES),
  pause: z.enum(PAUSE_REASONS).nullable(),
  /** Why it is paused, or why the next round has to wait. */
  problem: Problem.nullable(),
  rounds: z.array(BoardRound),
})
export type BoardRounds = z.output<typeof BoardRounds>

/** The same id again changes nothing: a repeated request sends nothing twice. */
const request_id = Id

export const boardEndpoints = {
  readBoardRounds: endpoint({
    method: 'GET',
    path: '/api/boards/:board_id/rounds',
    key: 'none',
    permission: 'read',
    reply: BoardRounds,
    tags: ['batches'],
  }),
  /** Adds rounds to cells, or replaces those that they have, and sends them. Refused to a person who may not use every key of the batch. */
  createBoardRounds: endpoint({
    method: 'POST',
    path: '/api/boards/:board_id/rounds',
    key: 'none',
    permission: 'run',
    body: z.strictObject({
      request_id,
      mode: z.enum(['append', 'replace']),
      pace: z.enum(BOARD_PACES),
      cells: z
        .array(
          z.strictObject({
            cell: CellId,
            key: Id,
            ...roundRequestFields,
            rounds: z.number().int().min(1).max(MAX_BOARD_ROUNDS),
          }),
        )
        .min(1)
        .max(MAX_BOARD_CELLS),
    }),
    reply: BoardRounds,
    invalidates: ['batches'],
  }),
  /** Sends these rounds: those that ended once more, in their place, and those that wait. Other rounds that wait stay paused. */
  sendBoardRounds: endpoint({
    method: 'POST',
    path: '/api/boards/:board_id/rounds/send',
    key: 'none',
    permission: 'run',
    body: z.strictObject({
      request_id,
      pace: z.enum(BOARD_PACES),
      rounds: z
        .array(
          z.strictObject({
            number: z.number().int().min(1),
            /** Null: what the round asked before. */
            request: z.strictObject(roundRequestFields).nullable(),
          }),
        )
        .min(1)
        .max(MAX_BOARD_CELLS * MAX_BOARD_ROUNDS),
    }),
    reply: BoardRounds,
    invalidates: ['batches'],
  }),
  /** Sends no more rounds; active ones are read to their end. Needs the right for one key of the batch. */
  pauseBoardRounds: endpoint({
    method: 'POST',
    path: '/api/boards/:board_id/rounds/pause',
    key: 'none',
    permission: 'run',
    reply: BoardRounds,
    invalidates: ['batches'],
  }),
  /** Removes the rounds of cells, also those that wait. Their runs stay in the ledger. Needs the right for one key of the batch. */
  removeBoardRounds: endpoint({
    method: 'POST',
    path: '/api/boards/:board_id/rounds/remove',
    key: 'none',
    permission: 'run',
    body: z.strictObject({ cells: z.array(CellId).min(1).max(MAX_BOARD_CELLS) }),
    reply: BoardRounds,
    invalidates: ['batches'],
  }),
}
