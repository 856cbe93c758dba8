import { asJson, asRecord } from '#contract/untrusted.ts'
import { keepable } from './keepable.ts'
import type { CallEnd } from './call.ts'
import { wordsOf } from './words.ts'

/** What a platform sends, as the columns of a call can hold it. */

/** Characters of a request, and of what came of it, that a search looks through. */
export const WORDS = 6000

/** What came, in words: what went wrong, the answer or the outputs, and the names and texts of its sources. */
export function saidIn({ answer, reply, problem }: CallEnd): string {
  const { text, outputs, error, sources } = (answer ?? {}) as Record<string, unknown>
  const [names, texts] = citedIn(sources)
  // Names come before the answer, which may be longer than what is kept.
  const came = answer ? [names, wordsOf([error, text], WORDS), wordsOf(outputs, WORDS), texts] : [wordsOf(reply, WORDS)]
  return [problem?.message ?? '', wordsOf(problem?.upstream?.body, 500), ...came].filter(Boolean).join('\n')
}

function citedIn(sources: unknown): [names: string, texts: string] {
  const cited = (Array.isArray(sources) ? sources : []).map((source) => asRecord(source) ?? {})
  return [
    wordsOf(
      cited.map(({ document_name }) => document_name),
      500,
    ),
    wordsOf(
      cited.map(({ content }) => content),
      WORDS,
    ),
  ]
}

/** What JSON of the database cannot carry (a platform may nest without end) is replaced by a note. */
export const json = (value: unknown): string | null =>
  value === undefined || value === null ? null : JSON.stringify(asJson(value))

/** An index holds no endless id. */
export const idOf = (id: string | null | undefined) => keepable(id, 255)

const INTEGER = 2_147_483_647

/** A platform may count in anything; the column holds whole numbers. */
export const count = (value: number | null | undefined): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? Math.round(Math.min(Math.max(value, -INTEGER), INTEGER)) : null
