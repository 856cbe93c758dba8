import { z } from 'zod'
import { endpoint, Id, IsoTime } from '../endpoint.ts'
import { Run } from './runs.ts'

/** Reads of operation 12 for incomplete runs, and statistics from earlier runs of an app. */

export const KnownNode = z.object({
  node_id: z.string(),
  node_type: z.string().nullable(),
  title: z.string().nullable(),
  parent: z.string().nullable(),
})
export type KnownNode = z.output<typeof KnownNode>

/** Runs that failed in the same way: the same node with the same message, or no node at all. Newest first. */
export const FailureGroup = z.object({
  node_id: z.string().nullable(),
  node_type: z.string().nullable(),
  title: z.string().nullable(),
  /** Error message of the newest of them. */
  error: z.string(),
  count: z.number(),
  last_at: z.string(),
  /** At most twenty. */
  runs: z.array(z.object({ id: z.string(), title: z.string(), created_at: z.string() })),
})
export type FailureGroup = z.output<typeof FailureGroup>

/** A version of a workflow named by the runs of an app: `first_seen` and `last_seen` are times of its runs. */
export const WorkflowVersion = z.object({
  workflow_id: z.string(),
  first_seen: z.string(),
  last_seen: z.string(),
  runs: z.number(),
  /** Runs with the status `failed`. */
  failed: z.number(),
})
export type WorkflowVersion = z.output<typeof WorkflowVersion>

export const runInsightEndpoints = {
  /**
   * Asks operation 12 for the final state of a run whose own stream or reply did not report it. The id is required if
   * the run never named one (a blocking call that was cut). 424 if the platform refuses or does not know the run.
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
  /**
   * Imports a run that was started outside this console, by operation 12; one that is already stored is returned
   * unchanged.
   */
  adoptRun: endpoint({
    method: 'POST',
    path: '/api/runs',
    key: 'none',
    permission: 'run',
    body: z.strictObject({ key: Id, workflow_run_id: Id }),
    reply: Run,
    invalidates: ['runs'],
  }),
  /** The tree of runs derived from the same first ancestor, oldest first, at most a hundred. */
  listRunFamily: endpoint({
    method: 'GET',
    path: '/api/runs/:run_id/lineage',
    key: 'none',
    permission: 'read',
    reply: z.object({ data: z.array(Run), total: z.number() }),
    tags: ['runs'],
  }),
  /** Nodes of the newest runs of the same app and workflow, without the run itself. */
  listKnownNodes: endpoint({
    method: 'GET',
    path: '/api/runs/:run_id/known-nodes',
    key: 'none',
    permission: 'read',
    reply: z.object({ data: z.array(KnownNode), total: z.number(), runs: z.number() }),
    tags: ['runs'],
  }),
  /** The versions of a key's workflow that its stored runs named, last used first, at most a hundred. */
  listVersions: endpoint({
    method: 'GET',
    path: '/api/versions',
    key: 'none',
    permission: 'read',
    query: z.strictObject({ key: Id }),
    reply: z.object({ data: z.array(WorkflowVersion), total: z.number() }),
    tags: ['runs'],
  }),
  /** The most frequent failures of the newest failed runs of an app. `looked_at`: the number of examined runs. */
  listFailures: endpoint({
    method: 'GET',
    path: '/api/failures',
    key: 'none',
    permission: 'read',
    query: z.strictObject({
      key: Id,
      from: IsoTime.optional(),
      to: IsoTime.optional(),
    }),
    reply: z.object({ data: z.array(FailureGroup), total: z.number(), looked_at: z.number() }),
    tags: ['runs'],
  }),
}
