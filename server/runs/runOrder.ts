import { createHash } from 'node:crypto'
import type { RunOriginKind } from '#contract/console/runs.ts'
import type { NewCall } from '../ledger/callRow.ts'
import type { GeneratingEntry } from '../ledger/runStatus.ts'
import type { PlatformCredential } from '../vault/vault.ts'
import { getRunTitle } from './runTitle.ts'

export interface RunOrder {
  run_id: string
  entry: GeneratingEntry
  path: string
  /** The version of a workflow that the path pins; that of a chatflow is in the body. */
  pinned_workflow_id?: string
  body: Record<string, unknown>
  person_id: string | null
  parent_id: string | null
  origin: { kind: RunOriginKind; id: string | null }
  row?: { batch_id: string; number: number }
  credential: PlatformCredential
}

export const toDriftContext = ({ credential, entry, run_id }: RunOrder) => ({
  workspace_id: credential.workspace_id,
  operation: entry,
  call_id: run_id,
})

export const hashRunOrder = (order: RunOrder): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        order.credential.key_id,
        order.entry,
        order.body,
        ...(order.pinned_workflow_id ? [order.pinned_workflow_id] : []),
      ]),
    )
    .digest('base64')

/** The requested version of a workflow or chatflow; null for the current one. */
const getPinnedVersion = ({ pinned_workflow_id, entry, body: { workflow_id } }: RunOrder): string | null => {
  if (pinned_workflow_id) return pinned_workflow_id
  return entry === 'chat.send' && typeof workflow_id === 'string' && workflow_id !== '' ? workflow_id : null
}

export const getEndUser = ({ body: { user } }: RunOrder): string | null => (typeof user === 'string' ? user : null)

export function toNewRunCall(order: RunOrder, hash: string, server_id: string): NewCall {
  const { response_mode } = order.body
  return {
    id: order.run_id,
    entry: order.entry,
    status: 'dispatched',
    person_id: order.person_id,
    workspace_id: order.credential.workspace_id,
    key_id: order.credential.key_id,
    params: order.pinned_workflow_id ? { workflow_id: order.pinned_workflow_id } : null,
    request: order.body,
    request_hash: hash,
    response_mode: String(response_mode),
    title: getRunTitle(order.body),
    end_user: getEndUser(order),
    parent_id: order.parent_id,
    pinned_workflow_id: getPinnedVersion(order),
    server_id,
    origin: order.origin,
    ...(order.row && { batch_row: order.row }),
  }
}
