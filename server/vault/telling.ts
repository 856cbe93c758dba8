import type { PoolClient } from 'pg'
import { record } from '../access/audit.ts'
import type { By } from '../access/people.ts'

/** What is written down of a change; `about` is the workspace, or a key of it. */
interface Deed {
  action: string
  workspace: string
  about: string
  label: string
  detail?: unknown
}

/** Writes a change down. The workspace of the built-in platform is kept by the server itself, which is not written down. */
export async function tell(client: PoolClient, by: By | null, deed: Deed): Promise<void> {
  if (by) await record(client, { ...deed, ...by })
}
