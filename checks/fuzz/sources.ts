import { createServer } from 'vite'
import { root } from '../command.ts'

/** Loads modules of the browser's part, which Node cannot read by itself: they hold JSX and styles. */
export async function openSources(): Promise<{ load: (path: string) => Promise<unknown>; close: () => Promise<void> }> {
  const vite = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    optimizeDeps: { noDiscovery: true, include: [] },
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  })
  return { load: (path) => vite.ssrLoadModule(path), close: () => vite.close() }
}
