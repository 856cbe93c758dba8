import { execFileSync } from 'node:child_process'
import type { LoupeProcess } from './loupeProcess.ts'

/** The keys of the built-in platform's apps, by the app's id, as the console's own script prints them. */
export function readAppKeys({ folder }: LoupeProcess): Record<string, string> {
  const printed = execFileSync(process.execPath, ['server/printPlatformKeys.ts'], {
    env: { ...process.env, DATA_DIR: folder },
    encoding: 'utf8',
  })
  return (JSON.parse(printed) as { apps: Record<string, string> }).apps
}
