import { z } from 'zod'
import { endpoint, Id, THING_KINDS } from './endpoint.ts'

/** What an id may be: a thing of the platform's, or one of the console's own. */
export const SIGHTED_KINDS = [...THING_KINDS, 'run', 'call', 'batch', 'app', 'workspace'] as const

/** Things of a list are counted, and have numbered pages, up to here. Whoever reads them all goes on `before` the `next`. */
export const THINGS_COUNTED = 10_000
export const ThingFilters = z.strictObject({
  kind: z.enum(THING_KINDS).optional(),
  workspace: Id.optional(),
  parent: z.string().max(255).optional(),
  id: z.string().max(255).optional(),
  /** Words of the label, or the beginning of the id. */
  q: z.string().max(255).optional(),
})
export type ThingFilters = z.output<typeof ThingFilters>

export const Sighting = z.object({
  kind: z.enum(SIGHTED_KINDS),
  id: z.string(),
  workspace: z.string(),
  label: z.string().nullable(),
  first_seen: z.string().nullable(),
  last_seen: z.string().nullable(),
  /** What holds it, innermost first: of a child chunk its segment, document and dataset; of a conversation its app. */
  holders: z.array(z.object({ kind: z.string(), id: z.string() })),
  /** The run of this console that named it last. */
  run: z.string().nullable(),
})
export type Sighting = z.output<typeof Sighting>

export const things = {
  /** Everything that this console knows under an id, of whatever kind and in whatever workspace. */
  identify: endpoint({
    method: 'GET',
    path: '/api/identify',
    key: 'none',
    permission: 'read',
    query: z.strictObject({ id: z.string().trim().min(1).max(255) }),
    reply: z.object({ data: z.array(Sighting), total: z.number() }),
    shows: ['things', 'calls'],
  }),
}
