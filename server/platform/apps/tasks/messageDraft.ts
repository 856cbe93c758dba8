import { eq } from 'drizzle-orm'
import { sanitizeText } from '../../sanitizeInput.ts'
import type { PlatformContext } from '../../platformContext.ts'
import { messages } from '../schema.ts'

type MessageEnd = Partial<Pick<typeof messages.$inferInsert, 'status' | 'error' | 'metadata'>>
type Db = Pick<PlatformContext['database']['db'], 'update'>

/** The growing answer of a message. */
export interface MessageDraft {
  text: () => string
  add: (piece: string) => void
  /**
   * Waits for queued saves. A transaction that waited for them would hold the connection that they need: the embedded
   * database has only one.
   */
  settle: () => Promise<void>
  /** Stores the current answer and status in a transaction of the caller, who settles the draft before it. */
  pause: (end: MessageEnd, db: Db) => Promise<void>
  /** Stores the final state of the answer; as `pause` if the caller has a transaction. */
  finish: (end: MessageEnd, db?: Db) => Promise<void>
}

/** Minimum ms between saves of a growing answer, so that a crash preserves the partial text. */
const SAVE_INTERVAL_MS = 1000

/** @param earlierText the text of an answer that continues after a pause */
export function openMessageDraft(
  { database, clock, log }: PlatformContext,
  id: string,
  earlierText = '',
): MessageDraft {
  let text = earlierText
  let savedAt = clock()
  let pendingSave: Promise<unknown> = Promise.resolve()
  const save = (values: Partial<typeof messages.$inferInsert>, db: Db = database.db) =>
    db
      .update(messages)
      .set({ answer: sanitizeText(text), ...values })
      .where(eq(messages.id, id))
  return {
    text: () => text,
    add(piece) {
      text += piece
      if (clock() - savedAt < SAVE_INTERVAL_MS) return
      savedAt = clock()
      pendingSave = pendingSave
        .then(() => save({}))
        .catch((error: unknown) => log.warn({ err: error }, 'save draft failed'))
    },
    async settle() {
      await pendingSave
    },
    async pause(end, db) {
      await save(end, db)
    },
    async finish(end, db) {
      if (!db) await pendingSave
      await save({ ...end, finished_at: new Date(clock()) }, db)
    },
  }
}
