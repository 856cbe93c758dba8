import type { Pool } from 'pg'
import type { Run, RunStatus } from '#contract/console.ts'
import type { Problem } from '#contract/problem.ts'
import type { Frame } from '#contract/console.ts'

/** A call as it is written before anything is sent. */
export interface NewCall {
  id: string
  entry: string
  status: RunStatus
  person_id: string | null
  workspace_id: string
  key_id: string
  params: unknown
  request: unknown
  request_hash: string | null
  response_mode: string | null
  title: string
  end_user: string | null
  parent_id: string | null
  server_id: string
}

/** What is written over it when it has ended. */
export interface CallEnd {
  status: RunStatus
  http_status?: number | null
  reply?: unknown
  answer?: unknown
  problem?: Problem | null
  frames?: number
  bytes?: number
  first_frame_ms?: number | null
  first_token_ms?: number | null
  duration_ms: number
  conversation_id?: string | null
  message_id?: string | null
  task_id?: string | null
  workflow_run_id?: string | null
  total_tokens?: number | null
  total_price?: string | null
  currency?: string | null
}

export interface CallRow {
  id: string
  entry: Run['entry']
  status: RunStatus
  person: string | null
  workspace_id: string
  key_id: string
  request: unknown
  request_hash: string | null
  response_mode: 'streaming' | 'blocking'
  title: string
  end_user: string | null
  parent_id: string | null
  conversation_id: string | null
  message_id: string | null
  task_id: string | null
  workflow_run_id: string | null
  reply: unknown
  answer: unknown
  problem: Problem | null
  frames: number
  bytes: string
  created_at: Date
  first_frame_ms: number | null
  first_token_ms: number | null
  duration_ms: number | null
  total_tokens: number | null
  total_price: string | null
  currency: string | null
  server_id: string | null
}

/** The memory: calls, their frames, and things. Written by the relay and the runner only. */
export class Ledger {
  readonly #pool: Pool
  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** @returns false when a call of that id is there already; nothing is written then. */
  async begin(call: NewCall): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      `INSERT INTO calls(id, entry, status, person_id, workspace_id, key_id, params, request, request_hash, response_mode,
         title, end_user, parent_id, server_id, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) ON CONFLICT (id) DO NOTHING`,
      [
        call.id,
        call.entry,
        call.status,
        call.person_id,
        call.workspace_id,
        call.key_id,
        json(call.params),
        json(call.request),
        call.request_hash,
        call.response_mode,
        call.title,
        call.end_user,
        call.parent_id,
        call.server_id,
        new Date(),
      ],
    )
    return rowCount === 1
  }

  async streaming(id: string): Promise<void> {
    await this.#pool.query(`UPDATE calls SET status = 'streaming' WHERE id = $1 AND status = 'dispatched'`, [id])
  }

  /** The ids that the first frames name, so that the conversation is found while it is still answered. */
  async identify(
    id: string,
    ids: {
      conversation_id: string | null
      message_id: string | null
      task_id: string | null
      workflow_run_id: string | null
    },
  ): Promise<void> {
    await this.#pool.query(
      'UPDATE calls SET conversation_id = $2, message_id = $3, task_id = $4, workflow_run_id = $5 WHERE id = $1',
      [id, ids.conversation_id, ids.message_id, ids.task_id, ids.workflow_run_id],
    )
  }

  async end(id: string, end: CallEnd): Promise<void> {
    await this.#pool.query(
      `UPDATE calls SET status = $2, http_status = $3, reply = $4, answer = $5, problem = $6, frames = $7, bytes = $8,
         first_frame_ms = $9, first_token_ms = $10, duration_ms = $11, conversation_id = COALESCE($12, conversation_id),
         message_id = COALESCE($13, message_id), task_id = COALESCE($14, task_id),
         workflow_run_id = COALESCE($15, workflow_run_id), total_tokens = $16, total_price = $17, currency = $18
       WHERE id = $1`,
      [
        id,
        end.status,
        end.http_status ?? null,
        json(end.reply),
        json(end.answer),
        json(end.problem),
        end.frames ?? 0,
        end.bytes ?? 0,
        end.first_frame_ms ?? null,
        end.first_token_ms ?? null,
        end.duration_ms,
        end.conversation_id ?? null,
        end.message_id ?? null,
        end.task_id ?? null,
        end.workflow_run_id ?? null,
        end.total_tokens ?? null,
        end.total_price ?? null,
        end.currency ?? null,
      ],
    )
  }

  async read(id: string): Promise<CallRow | null> {
    const { rows } = await this.#pool.query<CallRow>(
      'SELECT calls.*, people.name AS person FROM calls LEFT JOIN people ON people.id = calls.person_id WHERE calls.id = $1',
      [id],
    )
    return rows[0] ?? null
  }

  async frames(id: string, after: number, limit: number): Promise<Frame[]> {
    const { rows } = await this.#pool.query<Frame>(
      'SELECT seq, at, bytes, block FROM frames WHERE call_id = $1 AND seq > $2 ORDER BY seq LIMIT $3',
      [id, after, limit],
    )
    return rows
  }

  /** Runs that a dead server left without an end. */
  async orphans(isDead: { server_id: string; since: Date }): Promise<CallRow[]> {
    const { rows } = await this.#pool.query<CallRow>(
      `SELECT calls.* FROM calls WHERE status IN ('created', 'dispatched', 'streaming') AND server_id <> $1
       AND NOT EXISTS (SELECT 1 FROM servers WHERE servers.id = calls.server_id AND servers.seen_at > $2) LIMIT 1000`,
      [isDead.server_id, isDead.since],
    )
    return rows
  }
}

const json = (value: unknown): string | null => (value === undefined || value === null ? null : JSON.stringify(value))
