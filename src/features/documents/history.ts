import type { Call } from '#contract/calls.ts'

/** One edit of a chunk that indexing anew discards. */
export interface Edit {
  id: string
  entry: string
  person: string | null
  created_at: string
  note: string | null
  text: string
}

export interface History {
  /** The last text that was sent from here; null where there is none. */
  text: string | null
  name: string | null
  at: string | null
  person: string | null
  /** When a file was sent after that text, so that the platform's text is another. */
  overtaken: string | null
  /** Edits of chunks since the document was last sent, newest first. */
  edits: Edit[]
}

/** The history of a document out of the calls that succeeded, newest first. */
export function historyOf(calls: readonly Call[]): History {
  const sent = calls.findIndex(({ entry }) => isWhole(entry))
  const withText = calls.find(({ entry, request }) => isWhole(entry) && typeof fieldOf(request, 'text') === 'string')
  const last = calls[sent]
  return {
    text: (fieldOf(withText?.request, 'text') as string | undefined) ?? null,
    name: (fieldOf(withText?.request, 'name') as string | undefined) ?? null,
    at: withText?.created_at ?? null,
    person: withText?.person ?? null,
    overtaken: withText && last && last !== withText ? last.created_at : null,
    edits: (sent === -1 ? calls : calls.slice(0, sent)).map(({ id, entry, person, created_at, note, request }) => ({
      id,
      entry,
      person,
      created_at,
      note,
      text: textOf(request),
    })),
  }
}

/** Calls after which the platform cuts the whole document anew. */
const isWhole = (entry: string): boolean => /^(documents|adjacent)\.(create|update)By(Text|File)$/.test(entry)

const fieldOf = (value: unknown, name: string): unknown =>
  value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[name] : undefined

function textOf(request: unknown): string {
  const content = fieldOf(request, 'content') ?? fieldOf(fieldOf(request, 'segment'), 'content')
  return typeof content === 'string' ? content : ''
}
