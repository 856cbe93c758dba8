import { eq } from 'drizzle-orm'
import { cleanText } from '../clean.ts'
import type { PlatformContext } from '../context.ts'
import { messages } from './schema.ts'

type End = Partial<Pick<typeof messages.$inferInsert, 'status' | 'error' | 'metadata'>>

/** The answer of a message as it grows. */
export interface Draft {
  text: () => string
  add: (piece: string) => void
  /** Writes down how the answer ended. */
  settle: (end: End) => Promise<void>
}

/** A long answer is written down as it grows, so that a crash leaves what was said; not more often than this. */
const SAVE_MS = 1000

export function openDraft({ database, clock, log }: PlatformContext, id: string): Draft {
  let text = ''
  let saved = clock()
  let saving: Promise<unknown> = Promise.resolve()
  const save = (values: Partial<typeof messages.$inferInsert>) =>
    database.db
      .update(messages)
      .set({ answer: cleanText(text), ...values })
      .where(eq(messages.id, id))
  return {
    text: () => text,
    add(piece) {
      text += piece
      if (clock() - saved < SAVE_MS) return
      saved = clock()
      saving = saving.then(() => save({})).catch((error: unknown) => log.warn({ err: error }, 'draft'))
    },
    async settle(end) {
      await saving
      await save({ ...end, finished_at: new Date(clock()) })
    },
  }
}
