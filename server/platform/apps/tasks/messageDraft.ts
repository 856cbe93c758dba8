import { eq } from 'drizzle-orm'
import { sanitizeText } from '../../sanitizeInput.ts'
import type { PlatformContext } from '../../platformContext.ts'
import { messages } from '../schema.ts'

type MessageEnd = Partial<Pick<typeof messages.$inferInsert, 'status' | 'error' | 'metadata'>>

/** The growing answer of a message. */
export interface MessageDraft {
  text: () => string
  add: (piece: string) => void
  /** Stores the final state of the answer. */
  finish: (end: MessageEnd) => Promise<void>
}

/** Minimum ms between saves of a growing answer, so that a crash preserves the partial text. */
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
