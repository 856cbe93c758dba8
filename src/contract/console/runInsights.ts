import { z } from 'zod'
import { endpoint, Id } from '../endpoint.ts'
import { Run } from './runs.ts'

/** What is asked of a platform about runs that have told too little of themselves, and what earlier runs tell of an app. */

/** A node that an app has been seen to have. */
export const KnownNode = z.object({
  node_id: z.string(),
  node_type: z.string().nullable(),
  title: z.string().nullable(),
  parent: z.string().nullable(),
})
export type KnownNode = z.output<typeof KnownNode>

/** Runs that failed in one way: the same node with the same words, or no node at all. Newest first. */
export const FailureGroup = z.object({
  node_id: z.string().nullable(),
  node_type: z.string().nullable(),
  title: z.string().nullable(),
  /** The words of the newest of them. */
  error: z.string(),
  count: z.number(),
  last_at: z.string(),
  /** At most twenty. */
  runs: z.array(z.object({ id: z.string(), title: z.string(), created_at: z.string() })),
})
export type FailureGroup = z.output<typeof FailureGroup>

export const runInsightEndpoints = {
  /**
   * Asks operation 12 how a run ended whose own stream or reply has not said it. The id is wanted where the run never
   * named one (a blocking call that was cut). 424 where the platform refuses or knows no such run.
   */
  reconcileRun: endpoint({
    method: 'POST',
    path: '/api/runs/:run_id/reconcile',
    key: 'none',
    permission: 'run',
    body: z.strictObject({ workflow_run_id: Id.optional() }),
    reply: Run,
    invalidates: ['runs'],
  }),
  /** Reads a run that began elsewhere through operation 12 and keeps it; one that is kept already is given as it stands. */
  adoptRun: endpoint({
    method: 'POST',
    path: '/api/runs',
    key: 'none',
    permission: 'run',
    body: z.strictObject({ key: Id, workflow_run_id: Id }),
    reply: Run,
    invalidates: ['runs'],
  }),
  /** The tree that a run stands in: all that was made from its first ancestor, oldest first, at most a hundred. */
  listRunFamily: endpoint({
    method: 'GET',
    path: '/api/runs/:run_id/lineage',
    key: 'none',
    permission: 'read',
    reply: z.object({ data: z.array(Run), total: z.number() }),
    tags: ['runs'],
  }),
  /** The nodes that the newest runs of the same app and workflow had; of the run itself none are counted. */
  listKnownNodes: endpoint({
    method: 'GET',
    path: '/api/runs/:run_id/known-nodes',
    key: 'none',
    permission: 'read',
    reply: z.object({ data: z.array(KnownNode), total: z.number(), runs: z.number() }),
    tags: ['runs'],
  }),
  /** How the newest failed runs of an app failed, the most frequent first. `looked_at` is how many runs were looked at. */
  listFailures: endpoint({
    method: 'GET',
    path: '/api/failures',
    key: 'none',
    permission: 'read',
    query: z.strictObject({
      key: Id,
      from: z.iso.datetime({ offset: true }).optional(),
      to: z.iso.datetime({ offset: true }).optional(),
    }),
    reply: z.object({ data: z.array(FailureGroup), total: z.number(), looked_at: z.number() }),
    tags: ['runs'],
  }),
}
