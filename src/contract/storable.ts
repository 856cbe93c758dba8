import type { z } from 'zod'

/**
 * A schema for values that are stored as JSON and compared by the database: no text may contain a NUL or half of a
 * surrogate pair, which PostgreSQL rejects.
 */
export const storable = <Schema extends z.ZodType>(schema: Schema): Schema =>
  schema.superRefine((value, context) => {
    const path = findUnstorableText(value)
    if (path) context.addIssue({ code: 'custom', path, message: UNSTORABLE_MESSAGE, input: value })
  })

const UNSTORABLE_MESSAGE = 'has a character that cannot be stored: NUL, or half of a surrogate pair'

/** The path to the first such text, or name of a field; null for none. */
function findUnstorableText(value: unknown): PropertyKey[] | null {
  if (typeof value === 'string') return isStorable(value) ? null : []
  if (typeof value !== 'object' || value === null) return null
  for (const [name, part] of Object.entries(value)) {
    if (!isStorable(name)) return []
    const path = findUnstorableText(part)
    if (path) return [Array.isArray(value) ? Number(name) : name, ...path]
  }
  return null
}

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')
