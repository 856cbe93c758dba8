import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'

/** Milliseconds between two steps, so that requests come in between. */
export const STEP_PAUSE_MS = 10
export const CALLS_PER_DELETE = 100
const FRAMES_PER_DELETE = 5_000
/** Pieces of large bodies, of up to one megabyte each. */
const PIECES_PER_DELETE = 20

export interface DeletableCall {
  id: string
  frames: number
}

/** Deletes given calls with their frames and bodies in small steps. It ends at the next step when `isStopped` is true. */
export class CallDeleter {
  readonly #pool: Pool
  readonly #isStopped: () => boolean

  constructor({ pool, isStopped }: { pool: Pool; isStopped: () => boolean }) {
    this.#pool = pool
    this.#isStopped = isStopped
  }

  /**
   * Frames are deleted before their calls: after a stop the next pass deletes a call without frames. `beforeDelete`
   * handles what only the calls of a step name. @returns the number of deleted calls
   */
  async delete<Call extends DeletableCall>(
    workspace_id: string,
    calls: readonly Call[],
    beforeDelete: (step: readonly Call[]) => Promise<void> = () => Promise.resolve(),
  ): Promise<number> {
    let removed = 0
    for (let position = 0; position < calls.length && !this.#isStopped();) {
      const step = takeStep(calls.slice(position, position + CALLS_PER_DELETE))
      await this.#deleteFramesAndBodies(step)
      if (this.#isStopped()) break
      await beforeDelete(step)
      const { rowCount } = await this.#pool.query('DELETE FROM calls WHERE id = ANY($1)', [step.map(({ id }) => id)])
      removed += rowCount ?? 0
      await this.#pool.query('UPDATE retention SET removed = removed + $2, removed_at = $3 WHERE workspace_id = $1', [
        workspace_id,
        rowCount ?? 0,
        new Date(),
      ])
      position += step.length
      await pause(STEP_PAUSE_MS)
    }
    return removed
  }

  async #deleteFramesAndBodies(calls: readonly DeletableCall[]): Promise<void> {
    const ids = calls.map(({ id }) => id)
    // A single run may have more frames than one step deletes.
    const maxFrames = Math.max(0, ...calls.map(({ frames }) => frames))
    for (let upTo = FRAMES_PER_DELETE; upTo < maxFrames && !this.#isStopped(); upTo += FRAMES_PER_DELETE) {
      await this.#pool.query('DELETE FROM frames WHERE call_id = ANY($1) AND seq <= $2', [ids, upTo])
      await pause(STEP_PAUSE_MS)
    }
    if (this.#isStopped()) return
    await this.#pool.query('DELETE FROM frames WHERE call_id = ANY($1)', [ids])
    await this.#pool.query('DELETE FROM frame_chunks WHERE call_id = ANY($1)', [ids])
    for (let deleted = PIECES_PER_DELETE; deleted === PIECES_PER_DELETE && !this.#isStopped();) {
      const { rowCount } = await this.#pool.query(
        `DELETE FROM body_pieces WHERE ctid = ANY(ARRAY(
           SELECT ctid FROM body_pieces WHERE call_id = ANY($1) LIMIT ${PIECES_PER_DELETE}))`,
        [ids],
      )
      deleted = rowCount ?? 0
      if (deleted > 0) await pause(STEP_PAUSE_MS)
    }
  }
}

/** The first calls whose frames fit into one step, but at least one. */
function takeStep<Call extends DeletableCall>(calls: readonly Call[]): Call[] {
  const step: Call[] = []
  let frames = 0
  for (const call of calls) {
    frames += call.frames
    if (step.length > 0 && frames > FRAMES_PER_DELETE) break
    step.push(call)
  }
  return step
}
