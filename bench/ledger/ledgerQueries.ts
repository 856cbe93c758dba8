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

const PAGE_ROWS = 100
const SHOWN_ROWS = 20
const LIST_GOAL_MS = 150
const HOME_GOAL_MS = 500
/** Sorted pages and totals, which add up the newest calls of a list. */
const SET_GOAL_MS = 500

/** Every list, search and statistic that people request from the ledger. */
export function listLedgerQueries({
  workspace,
  key,
  person,
  resourceId,
  run,
  conversation,
}: FilledLedger): LedgerQuery[] {
  const calls = (what: string, filters: CallSearch, limit = PAGE_ROWS): LedgerQuery => ({
    metric: what,
    goal: LIST_GOAL_MS,
    run: async (database) =>
      new Ledger(database.pool).listSummaries((await findCalls(database, { workspace, ...filters }, { limit })).ids),
  })
  const runEntries = { workspace, entry: GENERATING_ENTRIES.join(',') }
  const runs = (metric: string, filters: CallSearch): LedgerQuery => ({
    metric,
    goal: LIST_GOAL_MS,
    run: async (database) => {
      const { ids } = await findCalls(database, { ...runEntries, ...filters }, { limit: SHOWN_ROWS })
      const rows = await new Ledger(database.pool).listSummaries(ids)
      return loadCallContexts(database.pool, rows, { q: filters.q, accessScope: null })
    },
  })
  const sortedRuns = (metric: string, filters: CallSearch, sort: CallSort): LedgerQuery => ({
    metric,
    goal: SET_GOAL_MS,
    run: async (database) =>
      new Ledger(database.pool).listSummaries(
        (await findCalls(database, { ...runEntries, ...filters }, { limit: SHOWN_ROWS, sort, order: 'desc' })).ids,
      ),
  })
  const totals = (metric: string, filters: CallSearch, group: CallGroupBy | undefined): LedgerQuery => ({
    metric,
    goal: SET_GOAL_MS,
    run: (database) =>
      computeCallStats(database, { ...runEntries, ...filters }, { group, zone: 'Europe/Zurich', accessScope: null }),
  })
  const resources = (what: string, filters: object, page = 1): LedgerQuery => ({
    metric: what,
    goal: LIST_GOAL_MS,
    run: (database) =>
      findResources(database, { workspace, ...filters, accessScope: null }, { page, limit: SHOWN_ROWS }),
  })
  return [
    calls('first page', {}),
    {
      metric: 'page in the middle',
      goal: LIST_GOAL_MS,
      run: async (database) => {
        const middle = `${Date.now() - 15 * 86_400_000}_ffffffff-ffff-4fff-8fff-ffffffffffff`
        return new Ledger(database.pool).listSummaries(
          (await findCalls(database, { workspace }, { before: middle, limit: PAGE_ROWS })).ids,
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
    totals('runs: totals', {}, undefined),
    totals('runs: totals of an app by day', { key }, 'day'),
    totals('runs: totals by conversation', {}, 'conversation'),
    totals('runs: failures by message', {}, 'failure'),
    totals('runs: totals of words by version', { q: 'timed out' }, 'version'),
    { metric: 'runs: tags', goal: LIST_GOAL_MS, run: ({ pool }) => listRunTags(pool, workspace, null) },
    { metric: 'one call', goal: LIST_GOAL_MS, run: (database) => new Ledger(database.pool).findWithBody(run) },
    {
      metric: 'frames of a run',
      goal: LIST_GOAL_MS,
      run: (database) => new Ledger(database.pool).readFrames(run, 0, 1000),
    },
    { metric: 'what an id is', goal: LIST_GOAL_MS, run: ({ pool }) => lookupId(pool, resourceId, null) },
    resources('things: words in the palette', { q: 'guce' }),
    resources('things: rare words in the palette', { q: 'luquibel' }),
    resources('annotations: first page', { kind: 'annotation', parent: key }),
    resources('annotations: last numbered page', { kind: 'annotation', parent: key }, 500),
    resources('annotations: search', { kind: 'annotation', parent: key, q: 'foje' }),
    {
      metric: 'annotations: like a new one',
      goal: LIST_GOAL_MS,
      run: ({ pool }) =>
        searchSimilarAnnotations(pool, {
          key_id: key,
          workspace_id: workspace,
          question: 'When does the shop open?',
          answer: '',
          excludedId: undefined,
        }),
    },
    { metric: 'home: what needs a look', goal: HOME_GOAL_MS, run: ({ pool }) => computeAlerts(pool, undefined, null) },
    {
      metric: 'home: charts of 30 days, of which none is kept',
      goal: HOME_GOAL_MS,
      run: async (database) => {
        await database.pool.query('DELETE FROM daily_rollups')
        return computeStats(database, { days: 30, zone: 'Europe/Zurich' }, null)
      },
    },
    {
      metric: 'home: charts of 30 days',
      goal: HOME_GOAL_MS,
      run: (database) => computeStats(database, { days: 30, zone: 'Europe/Zurich' }, null),
    },
  ]
}
