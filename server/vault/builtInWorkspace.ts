import type { z } from 'zod'
import type { KeyInput } from '#contract/console/admin/workspaceAdmin.ts'
import type { Database } from '../db/database.ts'
import { ADVISORY_LOCKS } from '../db/advisoryLocks.ts'
import type { PlatformCredential, Vault } from './vault.ts'

/**
 * The workspace of the built-in platform. Servers that share a database share the workspace and its data, but each runs its
 * own platform: it always calls that one, with its own keys, whatever another server has stored.
 */
export const ensureBuiltInWorkspace = (
  { vault, database }: { vault: Vault; database: Database },
  base_url: string,
  keys: z.output<typeof KeyInput>[],
): Promise<PlatformCredential[]> =>
  database.withAdvisoryLock(ADVISORY_LOCKS.builtInWorkspace, async () => {
    const existing = (await vault.listWorkspaces()).find((workspace) => workspace.builtin)
    const workspace = existing ?? (await vault.createWorkspace({ name: 'Built-in platform', base_url }, null, true))
    const secrets = new Map<string, string>()
    for (const key of keys) {
      const existingKey = workspace.keys.find(({ kind, label }) => kind === key.kind && label === key.label)
      const savedKey = existingKey
        ? await vault.updateKey(workspace.id, existingKey.id, { key: key.key }, null)
        : await vault.createKey(workspace.id, key, null)
      secrets.set(savedKey.id, key.key)
    }
    vault.builtIn = { base_url, secrets }
    return Promise.all([...secrets.keys()].map((id) => vault.getCredential(id)))
  })
