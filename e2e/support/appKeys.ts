import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { LoupeProcess } from './loupeProcess.ts'
import { createJsonSender } from './postJson.ts'

type AppKeys = Record<string, string> & { knowledge: string; chat: string }

/** The keys of the built-in platform: of each app by the app's id, and of its datasets as `knowledge`. */
export function readAppKeys({ folder }: LoupeProcess): AppKeys {
  const file = readFileSync(join(folder, 'secrets/platform-keys.json'), 'utf8')
  const keys = JSON.parse(file) as { app: string | null; value: string }[]
  return Object.fromEntries(keys.map(({ app, value }) => [app ?? 'knowledge', value])) as AppKeys
}

interface NewKey {
  kind: 'chat' | 'completion' | 'workflow' | 'knowledge'
  label: string
  key: string
}

/** Adds a key to a workspace. @returns its id */
export const addKey = async (page: Page, { url }: LoupeProcess, workspace: string, key: NewKey): Promise<string> =>
  (await createJsonSender(page.request, url)(`/api/workspaces/${workspace}/keys`, key)).id

/** Adds a workspace with keys. @returns its id, and theirs in their order */
export async function addWorkspace(
  page: Page,
  loupe: LoupeProcess,
  { name, base_url, keys }: { name: string; base_url: string; keys: readonly NewKey[] },
): Promise<{ id: string; keyIds: string[] }> {
  const { id } = await createJsonSender(page.request, loupe.url)('/api/workspaces', { name, base_url })
  const keyIds: string[] = []
  for (const key of keys) keyIds.push(await addKey(page, loupe, id, key))
  return { id, keyIds }
}

/** The playground of an app of the built-in platform in a workspace of its own, whose lists begin empty. */
export async function addAppWorkspace(
  page: Page,
  loupe: LoupeProcess,
  kind: 'chat' | 'completion' | 'workflow',
): Promise<string> {
  const keys = [{ kind, label: `Own ${kind}`, key: readAppKeys(loupe)[kind] ?? '' }]
  const { id, keyIds } = await addWorkspace(page, loupe, { name: `Own ${kind}`, base_url: loupe.platform, keys })
  return `${loupe.url}/${kind === 'workflow' ? 'workflows' : kind}?workspace=${id}&app=${keyIds[0]}`
}
