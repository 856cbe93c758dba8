import { eq } from 'drizzle-orm'
import { sanitizeText } from '../../sanitizeInput.ts'
import type { PlatformContext } from '../../platformContext.ts'
import { messages } from '../schema.ts'

type MessageEnd = Partial<Pick<typeof messages.$inferInsert, 'status' | 'error' | 'metadata'>>

/** The answer of a message as it grows. */
export interface MessageDraft {
  text: () => string
  add: (piece: string) => void
  /** Writes down how the answer ended. */
  finish: (end: MessageEnd) => Promise<void>
}

/** A long answer is written down as it grows, so that a crash leaves what was said; not more often than this. */
const SAVE_INTERVAL_MS = 1000

export function openMessageDraft({ database, clock, log }: PlatformContext, id: string): MessageDraft {
  let text = ''
  let savedAt = clock()
  let pendingSave: Promise<unknown> = Promise.resolve()
  const save = (values: Partial<typeof messages.$inferInsert>) =>
    database.db
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
    async finish(end) {
      await pendingSave
      await save({ ...end, finished_at: new Date(clock()) })
    },
  }
}
