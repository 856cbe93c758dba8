import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildBrowserApp, readBuildState } from './browserBuild.ts'

let building: Promise<void> = Promise.resolve()
let isCompressed = true

/** `npm start`: builds the app if it has to, while the server loads its modules and opens its database. */
export function startBrowserBuild(): void {
  const state = readBuildState()
  isCompressed = state.isCompressed
  if (state.isBuilt) return
  console.log('building the browser app …')
  building = buildBrowserApp()
  // The error is reported by `whenBrowserAppBuilt`, which may be awaited later.
  building.catch(() => undefined)
}

/** @throws StartupError when the app does not build. */
export const whenBrowserAppBuilt = (): Promise<void> => building

/** In parallel to the server, which uses the compressed files once they exist. */
export function compressInBackground(): void {
  if (isCompressed) return
  const script = join(import.meta.dirname, 'compressCommand.ts')
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 'inherit'] })
  child.unref()
  process.once('exit', () => child.kill())
}
