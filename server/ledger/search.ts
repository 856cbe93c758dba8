import type { PoolClient } from 'pg'
import { type CallFilters, COUNTED } from '#contract/calls.ts'
import type { Database } from '../database/database.ts'
import { type Reach, SEEN } from '../access/reach.ts'
import { like } from './where.ts'

/**
 * Which calls a list shows. No statement here looks at more rows than it says, whatever is filtered, and none leans on
 * the planner's statistics, which the embedded database does not keep: each walks one index, newest first, over a slice
 * of so many calls, or asks a GIN index for at most so many. What a slice does not hold, the next page looks for.
 */

/** Calls of a slice: when some are shown, and when words are looked for in each. */
const SOME = [COUNTED + 1, 5_000]
const WORDS = [200, 1_000]
/** So many hits of a GIN index are looked at; more are too many to be sorted. */
const HITS = 1_500
/** A word that so many of the calls hold is found sooner by looking at them than by asking the index for all of them. */
const RARE = 0.005

export interface Found {
  ids: string[]
  next: string | null
  total: number
  beyond: boolean
}

interface Place {
  at: Date
  id: string
}

/** What calls are looked for: the filters of the ledger, and those of the list of runs. */
export interface Sought extends CallFilters {
  conversation_id?: string | undefined
  parent?: string | undefined
  /** The platform's end user. */
  user?: string | undefined
}

/** A condition with its values; each `?` stands for one. */
type Condition = [sql: string, ...values: unknown[]]

export async function findCalls(
  database: Database,
  filters: Sought,
  { before, limit, reach = null }: { before?: string | undefined; limit: number; reach?: Reach },
): Promise<Found> {
  const from = before === undefined ? null : placeOf(before)
  return database.transaction(async (client) => {
    const { lead, rest } = await conditionsOf(client, filters, from, reach)
    const [named, words] = [namedIn(filters), filters.q]
    const [first, ...others] = named
    const rare =
      first && !words
        ? await look(client, 'hits', { lead: [first], rest: [...lead, ...rest, ...others], most: HITS })
        : null
    if (rare?.isWhole) return foundIn(rare, limit)
    const all = [...rest, ...named, ...wordsIn(words)]
    let seen = NOTHING
    for (const most of words ? WORDS : all.length > 0 ? SOME : [from ? limit + 1 : COUNTED + 1]) {
      seen = await look(client, 'walk', { lead, rest: all, most, near: words })
      if (seen.isWhole || seen.fits.length > limit) return foundIn(seen, limit)
    }
    const hits = first ?? hitsOf(words)
    if (!words || !hits || seen.near > RARE * seen.looked) return foundIn(seen, limit)
    const sought = await look(client, 'hits', { lead: [hits], rest: [...lead, ...all], most: HITS })
    return foundIn(sought.isWhole ? sought : seen, limit)
  })
}

/** Under which name the page after a call begins. */
export const nameOf = ({ at, id }: Place): string => `${at.getTime()}_${id}`

function placeOf(name: string): Place {
  const [at = '0', id = ''] = name.split('_')
  return { at: new Date(Number(at)), id }
}

interface Seen {
  fits: Place[]
  /** The last one that was looked at, where there are more. */
  end: Place | null
  isWhole: boolean
  near: number
  looked: number
}
const NOTHING: Seen = { fits: [], end: null, isWhole: false, near: 0, looked: 0 }

function foundIn({ fits, end, isWhole }: Seen, limit: number): Found {
  const last = fits[limit - 1]
  return {
    ids: fits.slice(0, limit).map(({ id }) => id),
    next: fits.length > limit && last ? nameOf(last) : end && !isWhole ? nameOf(end) : null,
    total: Math.min(fits.length, COUNTED),
    beyond: !isWhole || fits.length > COUNTED,
  }
}

/** One index carries the order: the one of the rarest thing that is asked for. The other conditions are tried on its calls. */
async function conditionsOf(client: PoolClient, filters: Sought, from: Place | null, reach: Reach) {
  const { workspace, key, status, person, entry, user } = filters
  const lead: Condition[] = []
  if (filters.from) lead.push(['calls.created_at >= ?::timestamptz', filters.from])
  if (filters.to) lead.push(['calls.created_at < ?::timestamptz', filters.to])
  if (from) lead.push(['(calls.created_at, calls.id) < (?::timestamptz, ?::uuid)', from.at, from.id])
  const entries = entry?.split(',') ?? []
  const by = {
    status: status ? (['calls.status = ?', status] as Condition) : null,
    entry: entries.length > 0 ? (['calls.entry = ANY(?::text[])', entries] as Condition) : null,
    person: person ? (['calls.person_id = ?::uuid', await personOf(client, person)] as Condition) : null,
    workspace: workspace ? (['calls.workspace_id = ?', workspace] as Condition) : null,
    user: user ? (['calls.end_user = ?', user] as Condition) : null,
    reach: reach ? ([SEEN.calls, reach, reach] as Condition) : null,
  }
  if (key) lead.push(['calls.key_id = ?', key])
  else if (by.workspace) {
    lead.push(by.workspace)
    by.workspace = null
    const [one] = entries
    if (by.status && status !== 'succeeded') {
      lead.push(by.status)
      by.status = null
    } else if (one && entries.length === 1) {
      lead.push(['calls.entry = ?', one])
      by.entry = null
    } else if (by.person) {
      lead.push(by.person)
      by.person = null
    }
  }
  return { lead, rest: Object.values(by).filter((condition) => condition !== null) }
}

async function personOf(client: PoolClient, name: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM people WHERE name = $1', [name])
  return rows[0]?.id ?? '00000000-0000-0000-0000-000000000000'
}

/** What names few calls, each under an index of its own. */
function namedIn({ thing, conversation_id, parent }: Sought): Condition[] {
  const named: Condition[] = []
  if (thing) named.push(['calls.touched @> ARRAY[?::text]', thing])
  if (conversation_id) named.push(['calls.conversation_id = ?', conversation_id])
  if (parent) named.push(['calls.parent_id = ?::uuid', parent])
  return named
}

/** Words that a GIN index can be asked for: three letters of them stand together. */
const hitsOf = (q: string | undefined): Condition | null =>
  q && /[\p{L}\p{N}]{3}/u.test(q) ? ['calls.words ILIKE ?', like(q)] : null

const wordsIn = (q: string | undefined): Condition[] => (q ? [['calls.words ILIKE ?', like(q)]] : [])

/** How the planner is to go about: along one index in its order, or by what an index hits, in no order. */
// What is switched off costs so much by the planner's reckoning that a server would compile it, for a fifth of a second.
export const SETTINGS = {
  walk: 'SET LOCAL jit = off; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off; SET LOCAL enable_indexscan = on',
  hits: 'SET LOCAL jit = off; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = on; SET LOCAL enable_sort = on; SET LOCAL enable_indexscan = off',
}

interface Look {
  lead: Condition[]
  rest: Condition[]
  most: number
  /** Words, each of which is also looked for alone: the index knows no more of a phrase. */
  near?: string | undefined
}

async function look(client: PoolClient, how: keyof typeof SETTINGS, asked: Look): Promise<Seen> {
  const { sql, values } = statementOf(how, asked)
  await client.query(SETTINGS[how])
  const { rows } = await client.query<{ part: 'fits' | 'end' | 'near' | 'looked'; at: Date; id: string; n: number }>(
    sql,
    values,
  )
  const of = (part: string) => rows.filter((row) => row.part === part)
  const end = of('end')[0] ?? null
  return {
    fits: of('fits'),
    end: how === 'walk' ? end : null,
    isWhole: end === null,
    near: of('near')[0]?.n ?? 0,
    looked: of('looked')[0]?.n ?? 0,
  }
}

function statementOf(how: keyof typeof SETTINGS, { lead, rest, most, near }: Look): { sql: string; values: unknown[] } {
  const values: unknown[] = []
  const put = (conditions: Condition[]) =>
    conditions
      .map(([condition, ...given]) => condition.replace(/\?/g, () => `$${values.push(given.shift())}`))
      .join(' AND ') || 'true'
  const order = 'ORDER BY calls.created_at DESC, calls.id DESC'
  const parts = near ? near.split(/\s+/).filter(Boolean) : []
  const sql = `
    WITH slice AS MATERIALIZED (
      SELECT calls.created_at, calls.id, ${put(rest)} AS fits, ${put(parts.flatMap(wordsIn))} AS near
      FROM calls WHERE ${put(lead)} ${how === 'walk' ? order : ''} LIMIT ${how === 'walk' ? most : most + 1}
    )
    (SELECT 'fits' AS part, created_at AS at, id, 0 AS n FROM slice WHERE fits ORDER BY created_at DESC, id DESC LIMIT ${HITS})
    UNION ALL (SELECT 'end', created_at, id, 0 FROM slice OFFSET ${how === 'walk' ? most - 1 : most} LIMIT 1)
    UNION ALL SELECT 'near', null, null, count(*)::int FROM slice WHERE near
    UNION ALL SELECT 'looked', null, null, count(*)::int FROM slice`
  return { sql, values }
}
