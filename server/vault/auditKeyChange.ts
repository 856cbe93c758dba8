import type { PoolClient } from 'pg'
import { recordAudit } from '../auth/audit/auditLog.ts'
import type { Actor } from '../auth/people.ts'

interface KeyChange {
  action: string
  workspace: string
  about: string
  label: string
  detail?: unknown
}

/** Changes by the server itself, which maintains the built-in platform's workspace, are not recorded. */
export async function auditKeyChange(client: PoolClient, actor: Actor | null, change: KeyChange): Promise<void> {
  if (actor) await recordAudit(client, { ...change, ...actor })
}
