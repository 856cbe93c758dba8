import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

/** Beside each text file of the build its gzip and brotli form, so that the server compresses nothing while it serves. */
const compressed = (): Plugin => ({
  name: 'compressed',
  apply: ({ build }, { command }) => command === 'build' && build?.write !== false,
  closeBundle(error) {
    if (error) return
    for (const folder of ['dist', 'dist/assets'])
      for (const name of readdirSync(folder).filter((one) => /\.(js|css|svg)$/.test(one))) {
        const bytes = readFileSync(join(folder, name))
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes))
      }
  },
})

/**
 * Words are compiled when the app is built, with the compiler that use-intl brings for its small formatter: 8.5 KiB less
 * in the first load, and a message that is not well formed fails the build.
 */
const words = (): Plugin => ({
  name: 'words',
  apply: 'build',
  enforce: 'pre',
  config: () => ({ resolve: { alias: { 'use-intl/format-message': 'use-intl/format-message/format-only' } } }),
  async load(id) {
    if (!/\/src\/(?!contract\/).*\/messages\.ts$/.test(id)) return
    const besideIntl = createRequire(createRequire(import.meta.url).resolve('use-intl'))
    const { default: compile } = (await import(pathToFileURL(besideIntl.resolve('icu-minify/compile')).href)) as {
      default: (message: string) => unknown
    }
    const compileAll = (words: unknown): unknown =>
      typeof words === 'string'
        ? compile(words)
        : Object.fromEntries(Object.entries(words as object).map(([name, one]) => [name, compileAll(one)]))
    const rooms = (await import(pathToFileURL(id).href)) as Record<string, unknown>
    return Object.entries(rooms)
      .map(([name, room]) => `export const ${name} = ${JSON.stringify(compileAll(room))}`)
      .join('\n')
  },
})

/** What every screen stands on is on its way as soon as the page is read, beside the script that begins. */
const framePreloaded = (): Plugin => ({
  name: 'frame-preloaded',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) => {
      const frame = Object.values(bundle).find((one) => one.type === 'chunk' && one.name === 'frame')
      if (frame?.type !== 'chunk') return []
      const styles = [...(frame.viteMetadata?.importedCss ?? [])]
      return [
        ...[frame.fileName, ...frame.imports].map((file) =>
          link({ rel: 'modulepreload', crossorigin: true, href: `/${file}` }),
        ),
        ...styles.map((file) => link({ rel: 'stylesheet', crossorigin: true, href: `/${file}` })),
      ]
    },
  },
})

const link = (attrs: Record<string, string | boolean>) => ({ tag: 'link', attrs, injectTo: 'head' as const })

/** What so many screens share is one chunk, of which each needs most; chunks of one icon each would wait for one another. */
const MANY = 6

type Modules = Rolldown.ChunkingContext

/** Names the chunk of what many screens share, by what each of them imports of our own, itself or through others. */
const commonName = (): ((id: string, modules: Modules) => string | null) => {
  let screens: Set<string>[] | null = null
  return (id, modules) => {
    if (!id.includes('/src/') || id.includes('/node_modules/')) return null
    screens ??= screensOf(modules)
    return screens.filter((screen) => screen.has(id)).length >= MANY ? 'common' : null
  }
}

function screensOf(modules: Modules): Set<string>[] {
  const list = fileURLToPath(new URL('src/app/screens.ts', import.meta.url))
  const reach = (id: string, reached: Set<string>): Set<string> => {
    if (reached.has(id) || id.includes('/node_modules/')) return reached
    reached.add(id)
    // A copy: the list is the bundler's own, and the next question overwrites it.
    for (const one of [...(modules.getModuleInfo(id)?.importedIds ?? [])]) reach(one, reached)
    return reached
  }
  return [...(modules.getModuleInfo(list)?.dynamicallyImportedIds ?? [])].map((screen) => reach(screen, new Set()))
}

const codeSplitting = (): Rolldown.CodeSplittingOptions => ({
  groups: [
    // What begins must not wait for what it has on its way.
    { name: 'begin', test: /\/src\/(begin|app\/screens)\.ts$|preload-helper/, priority: 3 },
    { name: 'frame', test: /\/src\/main\.tsx$/, priority: 2 },
    { name: commonName(), priority: 1 },
    { name: 'icons', test: /\/@tabler\/icons-react\//, minShareCount: 2 },
  ],
})

export default defineConfig({
  plugins: [words(), react(), framePreloaded(), compressed()],
  // The server puts the nonce of each page in its place.
  html: { cspNonce: '__NONCE__' },
  server: { port: 5173, strictPort: false, proxy: { '/api': { target: 'http://127.0.0.1:8787', ws: true } } },
  // The chunk lab's worker loads its readers and its vocabulary when they are needed.
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    sourcemap: false,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: codeSplitting() } },
  },
})
