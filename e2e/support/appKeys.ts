import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LoupeProcess } from './loupeProcess.ts'

type AppKeys = Record<string, string> & { knowledge: string; chat: string }

/** The keys of the built-in platform: of each app by the app's id, and of its datasets as `knowledge`. */
export function readAppKeys({ folder }: LoupeProcess): AppKeys {
  const file = readFileSync(join(folder, 'secrets/platform-keys.json'), 'utf8')
  const keys = JSON.parse(file) as { app: string | null; value: string }[]
  return Object.fromEntries(keys.map(({ app, value }) => [app ?? 'knowledge', value])) as AppKeys
}
