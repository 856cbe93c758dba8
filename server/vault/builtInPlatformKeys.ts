import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { KEY_KINDS, type KeyKind } from '#contract/endpoint.ts'
import { FolderError } from '../db/embedded/folderGuard.ts'
import type { Env } from '../env.ts'
import { openSecretFile } from './secretFile.ts'
import type { KeyInput } from '#contract/console/admin/workspaceAdmin.ts'
import type { Database } from '../db/database.ts'
import { ADVISORY_LOCKS } from '../db/advisoryLocks.ts'
import type { PlatformCredential, Vault } from './vault.ts'

/** A bearer key of the built-in platform. `app` is the id of its application; the knowledge key has none. */
const BuiltInPlatformKey = z.object({
  kind: z.enum(KEY_KINDS),
  app: z.string().nullable(),
  label: z.string(),
  value: z.string(),
})
export type BuiltInPlatformKey = z.output<typeof BuiltInPlatformKey>

/** The built-in platform's applications, each with its own key. */
const SHIPPED_APPS: Omit<BuiltInPlatformKey, 'value'>[] = [
  { kind: 'knowledge', app: null, label: 'Knowledge' },
  { kind: 'chat', app: 'chat', label: 'Handbook assistant' },
  { kind: 'completion', app: 'completion', label: 'Summarise a text' },
  { kind: 'workflow', app: 'workflow', label: 'Answer or say so' },
  { kind: 'workflow', app: 'workflow-digest', label: 'Digest of files' },
  { kind: 'workflow', app: 'workflow-inspect', label: 'Inspect the inputs' },
  { kind: 'workflow', app: 'workflow-approval', label: 'Approval' },
  { kind: 'chat', app: 'chatflow', label: 'Reviewed answer' },
]

/**
 * The built-in platform's keys: from the environment if set, otherwise from `DATA_DIR/secrets/platform-keys.json`,
 * which the first start creates. The environment sets the first key of a kind.
 * @throws FolderError when the file is damaged
 */
export function loadBuiltInPlatformKeys(env: Env): BuiltInPlatformKey[] {
  const file = openSecretFile(env.DATA_DIR, 'platform-keys.json')
  const savedKeys = file.exists ? readKeyFile(file.path) : []
  const envKeys: Record<KeyKind, string | undefined> = {
    knowledge: env.PLATFORM_KNOWLEDGE_KEY,
    chat: env.PLATFORM_CHAT_KEY,
    completion: env.PLATFORM_COMPLETION_KEY,
    workflow: env.PLATFORM_WORKFLOW_KEY,
  }
  const keys = SHIPPED_APPS.map((shipped) => {
    const savedKey = savedKeys.find(({ kind, app }) => kind === shipped.kind && app === shipped.app)
    return { ...shipped, value: savedKey?.value ?? generateKey(shipped.kind) }
  })
  if (JSON.stringify(keys) !== JSON.stringify(savedKeys)) file.write(JSON.stringify(keys, null, 2))
  return keys.map((key, index) => {
    const first = keys.findIndex(({ kind }) => kind === key.kind) === index
    return { ...key, value: (first && envKeys[key.kind]) || key.value }
  })
}

function readKeyFile(path: string): BuiltInPlatformKey[] {
  try {
    return z.array(BuiltInPlatformKey).parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    throw new FolderError(
      `The built-in platform's keys in ${path} cannot be read. Put the file back from a backup, or delete it: new keys are made then.`,
    )
  }
}

const generateKey = (kind: KeyKind): string =>
  `${kind === 'knowledge' ? 'dataset' : 'app'}-${randomBytes(24).toString('base64url')}`

/**
 * The workspace of the built-in platform. Servers that share a database share the workspace and its data, but each
 * runs its own platform and always calls that one, with its own keys.
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
