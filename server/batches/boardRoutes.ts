import type { FastifyInstance, FastifyRequest } from 'fastify'
import { contract } from '#contract/index.ts'
import { requirePerson } from '../auth/accountRoutes.ts'
import { registerEndpoint } from '../http/endpointRoute.ts'
import type { BatchQueue } from './batchQueue.ts'
import type { BoardRoundStore } from './boardRounds.ts'
import type { BoardRecord } from './savedBoards.ts'

/** The rounds of boards: read, add, send again, pause, remove. The queue sends them. */
export function registerBoardRoutes(
  app: FastifyInstance,
  { boards, queue }: { boards: BoardRoundStore; queue: BatchQueue },
): void {
  const entries = contract.console
  const toEditor = (request: FastifyRequest) => ({
    person_id: requirePerson(request).id,
    accessScope: request.accessScope,
  })
  /** Changes the rounds of a board. @returns its rounds afterwards */
  const change = async (
    board_id: string,
    request: FastifyRequest,
    isStart: boolean,
    apply: (board: BoardRecord, editor: ReturnType<typeof toEditor>) => Promise<void>,
  ) => {
    const board = await boards.findBoard(board_id, request.accessScope)
    await apply(board, toEditor(request))
    await queue.notifyChanged(board.id, isStart)
    return boards.read(board, request.accessScope)
  }

  registerEndpoint(app, entries.readBoardRounds, async ({ params }, { accessScope }) =>
    boards.read(await boards.findBoard(params.board_id, accessScope), accessScope),
  )
  registerEndpoint(app, entries.createBoardRounds, ({ params, body }, request) =>
    change(params.board_id, request, true, (board, editor) => boards.add(board, body, editor)),
  )
  registerEndpoint(app, entries.sendBoardRounds, ({ params, body }, request) =>
    change(params.board_id, request, true, (board, editor) => boards.send(board, body, editor)),
  )
  registerEndpoint(app, entries.pauseBoardRounds, ({ params }, request) =>
    change(params.board_id, request, false, (board, editor) => boards.pause(board, editor)),
  )
  registerEndpoint(app, entries.removeBoardRounds, ({ params, body }, request) =>
    change(params.board_id, request, false, (board, editor) => boards.removeCells(board, body.cells, editor)),
  )
}
