import type { PoolClient } from 'pg'
import { recordAudit } from '../auth/audit/auditLog.ts'
import type { Actor } from '../auth/people.ts'

/** The audit entry of a change; `about` is the workspace or one of its keys. */
interface KeyChange {
  action: string
  workspace: string
  about: string
  label: string
  detail?: unknown
}

/**
 * Records a change in the audit log. The server itself maintains the built-in platform's workspace, which is not recorded.
 */
export async function auditKeyChange(client: PoolClient, actor: Actor | null, change: KeyChange): Promise<void> {
  if (actor) await recordAudit(client, { ...change, ...actor })
}
