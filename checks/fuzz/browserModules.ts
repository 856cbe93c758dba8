import { createServer } from 'vite'
import { ROOT_FOLDER } from '../runCommand.ts'

/** Loads modules of the browser's part, which Node cannot read by itself: they hold JSX and styles. */
export async function openBrowserModules(): Promise<{
  load: (path: string) => Promise<unknown>
  close: () => Promise<void>
}> {
  const vite = await createServer({
    root: ROOT_FOLDER,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    optimizeDeps: { noDiscovery: true, include: [] },
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  })
  return { load: (path) => vite.ssrLoadModule(path), close: () => vite.close() }
}
