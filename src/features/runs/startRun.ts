import type { Run } from '#contract/console/runs.ts'
import { optionalRunEndpoints } from '#contract/platform/optionalRuns.ts'
import type { CallTarget } from '../../client/http.ts'
import type { GeneratingEndpoint } from '../../client/runStore.ts'
import { runStore } from '../../client/useRun.ts'
import { RUN_ENTRIES } from './runEntries.ts'

export interface RunRequest {
  /** The id of the key. */
  key: string
  body: Record<string, unknown>
  /** The run that it was made from. */
  parent?: string | null
  /** The version of the workflow or chatflow; null for the current one. */
  workflow_id: string | null
  /** Where it is started; the playground of its kind if absent. */
  origin?: CallTarget<GeneratingEndpoint>['origin']
}

/** The call of a run on a version: that of a workflow is in the path, that of a chatflow in the body. */
export function toRunCall(
  entry: Run['entry'],
  { key, body, parent = null, workflow_id, origin }: RunRequest,
): [endpoint: GeneratingEndpoint, target: CallTarget<GeneratingEndpoint>] {
  const { workflow_id: _earlier, ...unpinned } = body
  if (workflow_id === null) return toCall(RUN_ENTRIES[entry], { key, body: unpinned, parent, origin })
  if (entry === 'workflows.run')
    return toCall(optionalRunEndpoints.runVersion, { key, params: { workflow_id }, body: unpinned, parent, origin })
  return toCall(RUN_ENTRIES[entry], { key, body: { ...unpinned, workflow_id }, parent, origin })
}

/** The body was made by a form that follows the entry. */
const toCall = (endpoint: GeneratingEndpoint, target: object): ReturnType<typeof toRunCall> => [
  endpoint,
  target as CallTarget<GeneratingEndpoint>,
]

/** Starts a run on a version. @returns its id */
export const startRun = (entry: Run['entry'], request: RunRequest): string =>
  runStore.start(...toRunCall(entry, request))

/** The request of a stored run, to send again: on the version that it requested. */
export function toReplayRequest(run: Run): RunRequest {
  const body = (run.request ?? {}) as Record<string, unknown>
  return {
    key: run.key,
    body,
    parent: run.id,
    workflow_id: run.pinned_workflow_id,
    origin: { kind: 'replay', id: null },
  }
}
