import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Beside each text file of the build its gzip and brotli form, so that the server compresses nothing while it serves. */
const compressed = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
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

export default defineConfig({
  plugins: [words(), react(), compressed()],
  // The server puts the nonce of each page in its place.
  html: { cspNonce: '__NONCE__' },
  server: { port: 5173, strictPort: false, proxy: { '/api': { target: 'http://127.0.0.1:8787', ws: true } } },
  // The chunk lab's worker loads its readers and its vocabulary when they are needed.
  worker: { format: 'es' },
  build: { target: 'es2023', sourcemap: false, modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
})
