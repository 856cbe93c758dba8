import type { z } from 'zod'
import type { KeyWrite } from '#contract/console.ts'
import type { Credential, Vault } from './vault.ts'

/** The workspace of the built-in platform, as it runs now: its address and its keys may have changed since the last start. */
export async function adoptBuiltin(
  vault: Vault,
  base_url: string,
  given: z.output<typeof KeyWrite>[],
): Promise<Credential[]> {
  const before = (await vault.list()).find((workspace) => workspace.builtin)
  const workspace = before ?? (await vault.create({ name: 'Built-in platform', base_url }, null, true))
  if (workspace.base_url !== base_url) await vault.update(workspace.id, { base_url }, null)
  const credentials: Credential[] = []
  for (const key of given) {
    const same = workspace.keys.find(({ kind, label }) => kind === key.kind && label === key.label)
    const kept = same
      ? await vault.updateKey(workspace.id, same.id, { key: key.key }, null)
      : await vault.createKey(workspace.id, key, null)
    credentials.push(await vault.credential(kept.id))
  }
  return credentials
}
