import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import type { Screen } from './src/app/navigation.ts'

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
    if (!/\/src\/(?!contract\/|domain\/).*\/(messages|commonMessages)\.ts$/.test(id)) return
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

/** The contract's schemas are made when they are first asked something: `src/contract/lazyZod.ts`. */
const schemasLater = (): Plugin => ({
  name: 'schemas-later',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /\/src\/(contract\/(?!lazyZod\.ts)|domain\/)[^?]*\.ts$/ },
    handler: (code) => code.replace("import { z } from 'zod'", "import * as z from '#contract/lazyZod.ts'"),
  },
})

const SCREENS_FILE = fileURLToPath(new URL('src/app/navigation.ts', import.meta.url))

/** What every screen stands on is on its way as soon as the page is read, beside the script that begins. */
const framePreloaded = (): Plugin => ({
  name: 'frame-preloaded',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) => [
      ...loadedWith(bundle, '/src/app/entry.tsx').map((file) => link(file)),
      ...Object.keys(bundle).filter(isFirstFont).map(fontLink),
    ],
  },
  /** And what each screen needs beyond that: the server puts it into the page that is asked for (`server/http/staticFiles.ts`). */
  generateBundle: {
    // After the chunks are gone that held styles alone.
    order: 'post',
    async handler(_options, bundle) {
      const { SCREENS } = (await import(SCREENS_FILE)) as { SCREENS: readonly Screen[] }
      const frame = new Set(loadedWith(bundle, '/src/app/entry.tsx'))
      // In the order of the list: each entry of it has one dynamic import.
      const modules = this.getModuleInfo(SCREENS_FILE)?.dynamicallyImportedIds ?? []
      if (modules.length !== SCREENS.length) this.error('Each entry of src/app/navigation.ts needs one dynamic import.')
      const needs = SCREENS.map(({ path }, index): [string, string[]] => [
        path,
        loadedWith(bundle, modules[index] ?? 'none').filter((file) => !frame.has(file)),
      ])
      this.emitFile({ type: 'asset', fileName: 'screens.json', source: JSON.stringify(Object.fromEntries(needs)) })
    },
  },
})

/** The chunks that hold a module and all that they import, each with its styles, in the order of their imports. */
function loadedWith(bundle: Rolldown.OutputBundle, module: string): string[] {
  const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
  const files = new Set<string>()
  const reach = (chunk: Rolldown.OutputChunk | undefined): void => {
    if (!chunk || files.has(chunk.fileName)) return
    files.add(chunk.fileName)
    for (const file of chunk.imports) reach(chunks.find(({ fileName }) => fileName === file))
    for (const file of chunk.viteMetadata?.importedCss ?? []) files.add(file)
  }
  reach(chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module))))
  return [...files]
}

/** The letters of most words, there before the first picture, so that it is not laid out with others first and then once more. */
const isFirstFont = (file: string): boolean => /\/geist(-mono)?-latin-wght-normal-[^/]*\.woff2$/.test(file)

const fontLink = (file: string) => ({
  tag: 'link',
  attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${file}` },
  injectTo: 'head' as const,
})

const link = (file: string) => ({
  tag: 'link',
  attrs: { rel: file.endsWith('.css') ? 'stylesheet' : 'modulepreload', crossorigin: true, href: `/${file}` },
  injectTo: 'head' as const,
})

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
  const reach = (id: string, reached: Set<string>): Set<string> => {
    if (reached.has(id) || id.includes('/node_modules/')) return reached
    reached.add(id)
    // A copy: the list is the bundler's own, and the next question overwrites it.
    for (const one of [...(modules.getModuleInfo(id)?.importedIds ?? [])]) reach(one, reached)
    return reached
  }
  return [...(modules.getModuleInfo(SCREENS_FILE)?.dynamicallyImportedIds ?? [])].map((screen) =>
    reach(screen, new Set()),
  )
}

const codeSplitting = (): Rolldown.CodeSplittingOptions => ({
  groups: [
    // What begins must not wait for what it has on its way.
    { name: 'begin', test: /\/src\/(app\/entryClient|client\/prefetch)\.ts$|preload-helper/, priority: 5 },
    { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\//, priority: 4 },
    { name: 'contract', test: /\/src\/contract\/index\.ts$/, priority: 3 },
    { name: 'frame', test: /\/src\/app\/entry\.tsx$/, priority: 2 },
    { name: commonName(), debugName: 'common', priority: 1 },
    { name: 'icons', test: /\/@tabler\/icons-react\//, minShareCount: 2 },
  ],
})

/**
 * Of what every screen stands on, most functions run before the first picture. Chromium then compiles them beside the main
 * thread, while they are still coming, and not one by one when each is first called.
 */
const compiledAtOnce = (): Plugin => ({
  name: 'compiled-at-once',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const one of Object.values(bundle))
        if (one.type === 'chunk' && ['react', 'contract', 'frame', 'common', 'ChatPage'].includes(one.name))
          one.code = `//# allFunctionsCalledOnLoad\n${one.code}`
    },
  },
})

export default defineConfig({
  plugins: [words(), schemasLater(), react(), framePreloaded(), compiledAtOnce(), compressed()],
  // The server puts the nonce of each page in its place.
  html: { cspNonce: '__NONCE__' },
  server: { port: 5173, strictPort: false, proxy: { '/api': { target: 'http://127.0.0.1:8787', ws: true } } },
  // The browser's version of it needs a document, and the worker that parses markdown has none.
  resolve: {
    alias: {
      'decode-named-character-reference': createRequire(import.meta.url).resolve('decode-named-character-reference'),
    },
  },
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
