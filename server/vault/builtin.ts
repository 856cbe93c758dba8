import type { z } from 'zod'
import type { KeyWrite } from '#contract/console.ts'
import type { Database } from '../database/database.ts'
import { LOCKS } from '../database/locks.ts'
import type { Credential, Vault } from './vault.ts'

/**
 * The workspace of the built-in platform. Servers that share a database share the workspace and its data, and each has a
 * platform of its own: it asks that one, by that one's keys, whatever another server has written down.
 */
export const adoptBuiltin = (
  { vault, database }: { vault: Vault; database: Database },
  base_url: string,
  given: z.output<typeof KeyWrite>[],
): Promise<Credential[]> =>
  database.alone(LOCKS.builtin, async () => {
    const before = (await vault.list()).find((workspace) => workspace.builtin)
    const workspace = before ?? (await vault.create({ name: 'Built-in platform', base_url }, null, true))
    const secrets = new Map<string, string>()
    for (const key of given) {
      const same = workspace.keys.find(({ kind, label }) => kind === key.kind && label === key.label)
      const kept = same
        ? await vault.updateKey(workspace.id, same.id, { key: key.key }, null)
        : await vault.createKey(workspace.id, key, null)
      secrets.set(kept.id, key.key)
    }
    vault.own = { base_url, secrets }
    return Promise.all([...secrets.keys()].map((id) => vault.credential(id)))
  })
