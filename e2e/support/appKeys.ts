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

/** The playground of an app of the built-in platform in a workspace of its own, whose lists begin empty. */
export async function addAppWorkspace(
  page: Page,
  loupe: LoupeProcess,
  kind: 'chat' | 'completion' | 'workflow',
): Promise<string> {
  const postJson = createJsonSender(page.request, loupe.url)
  const { id } = await postJson('/api/workspaces', { name: `Own ${kind}`, base_url: loupe.platform })
  const given = { kind, label: `Own ${kind}`, key: readAppKeys(loupe)[kind] }
  const { id: key } = await postJson(`/api/workspaces/${id}/keys`, given)
  const screen = kind === 'workflow' ? 'workflows' : kind
  return `${loupe.url}/${screen}?workspace=${id}&app=${key}`
}
