import type { FastifyReply } from 'fastify'
import type { Pool } from 'pg'
import { type MessageBus, createNoMessageBus } from '../db/messageBus.ts'
import { BackgroundJob } from '../jobs/backgroundJob.ts'

/**
 * How often open connections are checked against the table (ms): sessions expire, and a notification of another server may
 * be lost.
 */
const SESSION_CHECK_INTERVAL_MS = 2_500

/** Long-lived connections by session or token; they close when the session ends. */
export class SessionConnections {
  readonly #closers = new Map<() => void, string>()
  readonly #messageBus: MessageBus

  constructor(messageBus: MessageBus = createNoMessageBus()) {
    this.#messageBus = messageBus
    messageBus.subscribe('left', (sessions) => this.closeLocal(sessions))
  }

  /** @returns a function that removes the closed connection */
  register(session: string | null, end: () => void): () => void {
    if (session === null) return () => undefined
    this.#closers.set(end, session)
    return () => void this.#closers.delete(end)
  }

  /** Cuts a download off when the session ends: a slow reader would otherwise continue without rights. */
  registerDownload({ request, raw }: FastifyReply): void {
    raw.once(
      'close',
      this.register(request.sessionId, () => raw.destroy()),
    )
  }

  /** Closes the connections of these sessions, here and on every other server. */
  closeEverywhere = (sessions: readonly string[]): void => {
    this.closeLocal(sessions)
    this.#messageBus.publish('left', sessions)
  }

  closeLocal(sessions: readonly string[]): void {
    for (const [end, session] of [...this.#closers]) if (sessions.includes(session)) end()
  }

  createCheck(pool: Pool, onError: (error: unknown) => void): BackgroundJob {
    const run = async () => {
      const sessionIds = [...new Set(this.#closers.values())]
      if (sessionIds.length > 0) this.closeLocal(await findEndedSessions(pool, sessionIds))
    }
    return new BackgroundJob({ run, onError, intervalMs: SESSION_CHECK_INTERVAL_MS })
  }
}

async function findEndedSessions(pool: Pool, sessionIds: string[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id::text FROM unnest($1::uuid[]) AS held(id)
     WHERE NOT EXISTS (SELECT 1 FROM sessions JOIN people ON people.id = person_id
         WHERE sessions.id = held.id AND expires_at > now() AND disabled_at IS NULL)
       AND NOT EXISTS (SELECT 1 FROM access_tokens JOIN people ON people.id = person_id
         WHERE access_tokens.id = held.id AND expires_at > now() AND disabled_at IS NULL)`,
    [sessionIds],
  )
  return rows.map(({ id }) => id)
}
