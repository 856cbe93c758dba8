import type { Pool } from 'pg'
import { type Post, silence } from '../database/post.ts'

/** How often what is open is held against the table, in milliseconds: a session runs out, and another server's word may be lost. */
const LOOK = 2_500

/** What is open longer than a request, by session or token, so that it ends with it. */
export class Lines {
  readonly #open = new Map<() => void, string>()
  readonly #post: Post
  #timer: NodeJS.Timeout | undefined

  constructor(post: Post = silence) {
    this.#post = post
    post.hear('left', (sessions) => this.end(sessions))
  }

  /** @returns what says that it is no longer open */
  hold(session: string | null, end: () => void): () => void {
    if (session === null) return () => undefined
    this.#open.set(end, session)
    return () => void this.#open.delete(end)
  }

  /** What is open for these sessions ends, here and on every other server. */
  leave = (sessions: readonly string[]): void => {
    this.end(sessions)
    this.#post.say('left', sessions)
  }

  end(sessions: readonly string[]): void {
    for (const [end, session] of [...this.#open]) if (sessions.includes(session)) end()
  }

  watch(pool: Pool, onError: (error: unknown) => void): void {
    this.#timer = setInterval(() => {
      const held = [...new Set(this.#open.values())]
      if (held.length > 0) void gone(pool, held).then((sessions) => this.end(sessions), onError)
    }, LOOK).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

async function gone(pool: Pool, held: string[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id::text FROM unnest($1::uuid[]) AS held(id)
     WHERE NOT EXISTS (SELECT 1 FROM sessions JOIN people ON people.id = person_id
         WHERE sessions.id = held.id AND expires_at > now() AND disabled_at IS NULL)
       AND NOT EXISTS (SELECT 1 FROM access_tokens JOIN people ON people.id = person_id
         WHERE access_tokens.id = held.id AND expires_at > now() AND disabled_at IS NULL)`,
    [held],
  )
  return rows.map(({ id }) => id)
}
