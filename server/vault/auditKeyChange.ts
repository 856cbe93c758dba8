import type { PoolClient } from 'pg'
import { recordAudit } from '../auth/audit/auditLog.ts'
import type { Actor } from '../auth/people.ts'

/** What is written down of a change; `about` is the workspace, or a key of it. */
interface KeyChange {
  action: string
  workspace: string
  about: string
  label: string
  detail?: unknown
}

/** Writes a change down. The workspace of the built-in platform is kept by the server itself, which is not written down. */
export async function auditKeyChange(client: PoolClient, actor: Actor | null, change: KeyChange): Promise<void> {
  if (actor) await recordAudit(client, { ...change, ...actor })
}
