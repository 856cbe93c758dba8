import type { Database } from '../server/database/database.ts'
import { alike } from '../server/annotations/alike.ts'
import { attention } from '../server/figures/attention.ts'
import { sums } from '../server/figures/sums.ts'
import { findThings } from '../server/ledger/find-things.ts'
import { identify } from '../server/ledger/identify.ts'
import { Ledger } from '../server/ledger/ledger.ts'
import { findCalls, type Sought } from '../server/ledger/search.ts'
import { GENERATING } from '../server/runs/outcome.ts'
import { type Filled, RARE } from './ledger-store.ts'

/** What one request of a person's does, by what it is for. */
export interface Path {
  what: string
  /** What it may take, in milliseconds. */
  goal: number
  ask: (database: Database) => Promise<unknown>
}

const PAGE = 100
const SHOWN = 20
const LIST = 150
const HOME = 500

/** Every list, search and figure that a person asks of the ledger. */
export function pathsOf({ workspace, key, person, thing, run, conversation }: Filled): Path[] {
  const calls = (what: string, filters: Sought, limit = PAGE): Path => ({
    what,
    goal: LIST,
    ask: async (database) =>
      new Ledger(database.pool).listed((await findCalls(database, { workspace, ...filters }, { limit })).ids),
  })
  const runs = (what: string, filters: Sought): Path => calls(what, { entry: GENERATING.join(','), ...filters }, SHOWN)
  const things = (what: string, filters: object, page = 1): Path => ({
    what,
    goal: LIST,
    ask: (database) => findThings(database, { workspace, ...filters }, { page, limit: SHOWN }),
  })
  return [
    calls('first page', {}),
    {
      what: 'page in the middle',
      goal: LIST,
      ask: async (database) => {
        const middle = `${Date.now() - 15 * 86_400_000}_ffffffff-ffff-4fff-8fff-ffffffffffff`
        return new Ledger(database.pool).listed(
          (await findCalls(database, { workspace }, { before: middle, limit: PAGE })).ids,
        )
      },
    },
    calls('page of a state', { status: 'failed' }),
    calls('page of an operation', { entry: 'documents.createByText' }),
    calls('page of a person', { person }),
    calls('page of an app and a state', { key, status: 'failed' }),
    calls('page of an operation and a state', { entry: 'workflows.run', status: 'failed' }),
    calls('page of a person and a state', { person, status: 'failed' }),
    calls('page of an app, a person, a state and a span', {
      key,
      person,
      status: 'succeeded',
      from: new Date(Date.now() - 20 * 86_400_000).toISOString(),
    }),
    calls('page of an id', { thing }),
    calls('search for a rare Chinese phrase', { q: RARE }),
    calls('search for two Chinese signs', { q: RARE.slice(1, 3) }),
    calls('search for an error text', { q: 'Server Unavailable' }),
    calls('search for an error text, by state and person', { q: 'quota is exceeded', status: 'failed', person }),
    calls('search for an id', { q: thing }),
    calls('search for a word in most calls', { q: 'guce' }),
    calls('search for a rare word', { q: 'luquibel' }),
    calls('search for a phrase of common words', { q: 'cece wice' }),
    calls('search for what nobody wrote', { q: 'zzyzx quotation' }),
    runs('runs: first page', {}),
    runs('runs: page of a user and a state', { user: 'person-1', status: 'failed' }),
    runs('runs: history of an app', { key, entry: 'chat.send' }),
    runs('runs: those of a conversation', { conversation_id: conversation }),
    runs('runs: search for an error text', { q: 'timed out' }),
    { what: 'one call', goal: LIST, ask: (database) => new Ledger(database.pool).read(run) },
    { what: 'frames of a run', goal: LIST, ask: (database) => new Ledger(database.pool).frames(run, 0, 1000) },
    { what: 'what an id is', goal: LIST, ask: ({ pool }) => identify(pool, thing) },
    things('things: words in the palette', { q: 'guce' }),
    things('things: rare words in the palette', { q: 'luquibel' }),
    things('annotations: first page', { kind: 'annotation', parent: key }),
    things('annotations: last numbered page', { kind: 'annotation', parent: key }, 500),
    things('annotations: search', { kind: 'annotation', parent: key, q: 'foje' }),
    {
      what: 'annotations: like a new one',
      goal: LIST,
      ask: ({ pool }) =>
        alike(pool, {
          key_id: key,
          workspace_id: workspace,
          question: 'When does the shop open?',
          answer: '',
          not: undefined,
        }),
    },
    { what: 'home: what needs a look', goal: HOME, ask: ({ pool }) => attention(pool, undefined) },
    {
      what: 'home: charts of 30 days, of which none is kept',
      goal: HOME,
      ask: async (database) => {
        await database.pool.query('DELETE FROM day_sums')
        return sums(database, { days: 30, zone: 'Europe/Zurich' })
      },
    },
    {
      what: 'home: charts of 30 days',
      goal: HOME,
      ask: (database) => sums(database, { days: 30, zone: 'Europe/Zurich' }),
    },
  ]
}
