import type { Database } from '../../server/db/database.ts'
import { searchSimilarAnnotations } from '../../server/annotations/similarAnnotations.ts'
import { computeAlerts } from '../../server/stats/alerts.ts'
import { computeStats } from '../../server/stats/computeStats.ts'
import { findResources } from '../../server/ledger/resourceSearch.ts'
import { lookupId } from '../../server/ledger/idLookup.ts'
import { Ledger } from '../../server/ledger/ledger.ts'
import { computeCallStats } from '../../server/ledger/callStats.ts'
import { listRunTags } from '../../server/runs/runMarks.ts'
import type { CallSort } from '#contract/console/callQuery.ts'
import type { CallGroupBy } from '#contract/console/calls.ts'
import { loadCallContexts } from '../../server/ledger/callContext.ts'
import { findCalls, type CallSearch } from '../../server/ledger/callSearch.ts'
import { GENERATING_ENTRIES } from '../../server/ledger/runStatus.ts'
import { type FilledLedger, RARE_PHRASE } from './filledLedger.ts'

/** One request of a person, by its purpose. */
export interface LedgerQuery {
  metric: string
  /** Its time limit in ms. */
  goal: number
  run: (database: Database) => Promise<unknown>
}

const DAY_MS = 86_400_000
const ZONE = 'Europe/Zurich'
const PAGE_ROWS = 100
const SHOWN_ROWS = 20
const LIST_GOAL_MS = 150
const HOME_GOAL_MS = 500
/** Sorted pages and totals, which add up the newest calls of a list. */
const SET_GOAL_MS = 500

/** Every list, search and statistic that people request from the ledger. */
export function listLedgerQueries(filled: FilledLedger): LedgerQuery[] {
  const { workspace, key, person, resourceId, run, conversation } = filled
  const query = (metric: string, send: LedgerQuery['run'], goal = LIST_GOAL_MS): LedgerQuery => ({
    metric,
    goal,
    run: send,
  })
  const listCalls = async (database: Database, search: CallSearch, page: Parameters<typeof findCalls>[2]) =>
    new Ledger(database.pool).listSummaries((await findCalls(database, search, page)).ids)
  const calls = (metric: string, filters: CallSearch) =>
    query(metric, (database) => listCalls(database, { workspace, ...filters }, { limit: PAGE_ROWS }))
  const runEntries = { workspace, entry: GENERATING_ENTRIES.join(',') }
  const runs = (metric: string, filters: CallSearch) =>
    query(metric, async (database) => {
      const rows = await listCalls(database, { ...runEntries, ...filters }, { limit: SHOWN_ROWS })
      return loadCallContexts(database.pool, rows, { q: filters.q, accessScope: null })
    })
  const sortedRuns = (metric: string, filters: CallSearch, sort: CallSort) => {
    const page = { limit: SHOWN_ROWS, sort, order: 'desc' } as const
    return query(metric, (database) => listCalls(database, { ...runEntries, ...filters }, page), SET_GOAL_MS)
  }
  const totals = (metric: string, filters: CallSearch, group?: CallGroupBy) => {
    const options = { group, zone: ZONE, accessScope: null }
    return query(metric, (database) => computeCallStats(database, { ...runEntries, ...filters }, options), SET_GOAL_MS)
  }
  const resources = (metric: string, filters: object, page = 1) =>
    query(metric, (database) =>
      findResources(database, { workspace, ...filters, accessScope: null }, { page, limit: SHOWN_ROWS }),
    )
  const now = Date.now()
  const newQuestion = {
    key_id: key,
    workspace_id: workspace,
    question: 'When does the shop open?',
    answer: '',
    excludedId: undefined,
  }
  const charts = (database: Database) => computeStats(database, { days: 30, zone: ZONE }, null)
  return [
    calls('first page', {}),
    query('page in the middle', (database) => {
      const before = `${Date.now() - 15 * DAY_MS}_ffffffff-ffff-4fff-8fff-ffffffffffff`
      return listCalls(database, { workspace }, { before, limit: PAGE_ROWS })
    }),
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
      from: new Date(now - 20 * DAY_MS).toISOString(),
    }),
    calls('page of an id', { resource: resourceId }),
    calls('search for a rare Chinese phrase', { q: RARE_PHRASE }),
    calls('search for two Chinese signs', { q: RARE_PHRASE.slice(1, 3) }),
    calls('search for an error text', { q: 'Server Unavailable' }),
    calls('search for an error text, by state and person', { q: 'quota is exceeded', status: 'failed', person }),
    calls('search for an id', { q: resourceId }),
    calls('search for a word in most calls', { q: 'guce' }),
    calls('search for a rare word', { q: 'luquibel' }),
    calls('search for a phrase of common words', { q: 'cece wice' }),
    calls('search for what nobody wrote', { q: 'zzyzx quotation' }),
    runs('runs: first page', {}),
    runs('runs: page of a user and a state', { user: 'person-1', status: 'failed' }),
    runs('runs: history of an app', { key, entry: 'chat.send' }),
    runs('runs: those of a conversation', { conversation_id: conversation }),
    runs('runs: search for an error text', { q: 'timed out' }),
    runs('runs: of batches', { origin: 'batch' }),
    runs('runs: with a tag', { tag: 'to review' }),
    runs('runs: rated down', { rating: 'dislike' }),
    sortedRuns('runs: the slowest', {}, 'duration'),
    sortedRuns('runs: the dearest of an app', { key }, 'price'),
    sortedRuns('runs: the slowest with words', { q: 'timed out' }, 'duration'),
    totals('runs: totals', {}),
    totals('runs: totals of an app by day', { key }, 'day'),
    totals('runs: totals by conversation', {}, 'conversation'),
    totals('runs: failures by message', {}, 'failure'),
    totals('runs: totals of words by version', { q: 'timed out' }, 'version'),
    query('runs: tags', ({ pool }) => listRunTags(pool, workspace, null)),
    query('one call', ({ pool }) => new Ledger(pool).findWithBody(run)),
    query('frames of a run', ({ pool }) => new Ledger(pool).readFrames(run, 0, 1000)),
    query('what an id is', ({ pool }) => lookupId(pool, resourceId, null)),
    resources('things: words in the palette', { q: 'guce' }),
    resources('things: rare words in the palette', { q: 'luquibel' }),
    resources('annotations: first page', { kind: 'annotation', parent: key }),
    resources('annotations: last numbered page', { kind: 'annotation', parent: key }, 500),
    resources('annotations: search', { kind: 'annotation', parent: key, q: 'foje' }),
    query('annotations: like a new one', ({ pool }) => searchSimilarAnnotations(pool, newQuestion)),
    query('home: what needs a look', ({ pool }) => computeAlerts(pool, undefined, null), HOME_GOAL_MS),
    query(
      'home: charts of 30 days, of which none is kept',
      async (database) => {
        await database.pool.query('DELETE FROM daily_rollups')
        return charts(database)
      },
      HOME_GOAL_MS,
    ),
    query('home: charts of 30 days', charts, HOME_GOAL_MS),
  ]
}
