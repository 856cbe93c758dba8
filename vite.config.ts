import { createRequire } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { isBuildInput } from './server/browserApp/buildInputs.ts'
import type { Screen } from './src/app/navigation.ts'

/** `npm start` builds again when one of the inputs has changed: a file that is none of them would be stale in the app. */
const requireKnownInputs = (): Plugin => ({
  name: 'require-known-inputs',
  apply: 'build',
  generateBundle() {
    const unknown = [...this.getModuleIds()]
      .map((id) => relative(import.meta.dirname, id.split('?')[0] ?? ''))
      .filter((path) => !/\0|^\.\.|(^|\/)node_modules\/|^vite\//.test(path) && !isBuildInput(path))
    if (unknown.length > 0) this.error(`server/browserApp/buildInputs.ts does not name ${unknown.join(', ')}.`)
  },
})

/** The texts of a screen; not a hook or the messages of a worker. */
const MESSAGES_FILE = /\/src\/(?!contract\/|domain\/).*\/(messages|(?!use)\w+(?<!Worker)Messages)\.ts$/

/**
 * Compiles ICU messages at build time with the compiler of use-intl: the first load is 8.5 KiB smaller without its parser,
 * and a malformed message fails the build.
 */
const compileMessages = (): Plugin => ({
  name: 'compile-messages',
  apply: 'build',
  enforce: 'pre',
  config: () => ({ resolve: { alias: { 'use-intl/format-message': 'use-intl/format-message/format-only' } } }),
  async load(id) {
    if (!MESSAGES_FILE.test(id)) return
    const besideIntl = createRequire(createRequire(import.meta.url).resolve('use-intl'))
    const { default: compile } = (await import(pathToFileURL(besideIntl.resolve('icu-minify/compile')).href)) as {
      default: (message: string) => unknown
    }
    const compileAll = (messages: unknown): unknown =>
      typeof messages === 'string'
        ? compile(messages)
        : Object.fromEntries(Object.entries(messages as object).map(([name, one]) => [name, compileAll(one)]))
    const messageModule = (await import(pathToFileURL(id).href)) as Record<string, unknown>
    return Object.entries(messageModule)
      .map(([name, messages]) => `export const ${name} = ${JSON.stringify(compileAll(messages))}`)
      .join('\n')
  },
})

/** Every browser that runs the console reads woff2: the other two formats of the formula fonts would be 700 KB of files. */
const keepWoff2Fonts = (): Plugin => ({
  name: 'keep-woff2-fonts',
  enforce: 'pre',
  transform: (code, id) =>
    /\/katex(?:\.min)?\.css$/.test(id) ? code.replace(/,\s*url\([^)]*\)\s*format\("(?:woff|truetype)"\)/g, '') : null,
})

const SCREENS_FILE = fileURLToPath(new URL('src/app/navigation.ts', import.meta.url))

/** Preloads the shell's chunks from the HTML, in parallel with the entry script. */
const preloadShell = (): Plugin => ({
  name: 'preload-shell',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) => [
      ...listChunkFiles(bundle, '/src/app/entry.tsx').map(toChunkLink),
      ...Object.keys(bundle).filter(isMainFont).map(toFontLink),
    ],
  },
  /** Writes which further chunks each screen needs; the server adds them to the page (`server/http/staticFiles.ts`). */
  generateBundle: {
    // After Vite has removed the chunks that only held styles.
    order: 'post',
    async handler(_options, bundle) {
      const { SCREENS } = (await import(SCREENS_FILE)) as { SCREENS: readonly Screen[] }
      const shellFiles = new Set(listChunkFiles(bundle, '/src/app/entry.tsx'))
      // In the order of the list: each entry of it has one dynamic import.
      const modules = this.getModuleInfo(SCREENS_FILE)?.dynamicallyImportedIds ?? []
      if (modules.length !== SCREENS.length) this.error('Each entry of src/app/navigation.ts needs one dynamic import.')
      const needs = SCREENS.map(({ path }, index): [string, string[]] => [
        path,
        listChunkFiles(bundle, modules[index] ?? 'none').filter((file) => !shellFiles.has(file)),
      ])
      this.emitFile({ type: 'asset', fileName: 'screens.json', source: JSON.stringify(Object.fromEntries(needs)) })
    },
  },
})

/** The chunks that hold a module and all that they import, each with its styles, in the order of their imports. */
function listChunkFiles(bundle: Rolldown.OutputBundle, module: string): string[] {
  const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
  const files = new Set<string>()
  const visit = (chunk: Rolldown.OutputChunk | undefined): void => {
    if (!chunk || files.has(chunk.fileName)) return
    files.add(chunk.fileName)
    for (const file of chunk.imports) visit(chunks.find(({ fileName }) => fileName === file))
    for (const file of chunk.viteMetadata?.importedCss ?? []) files.add(file)
  }
  visit(chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module))))
  return [...files]
}

/** Preloads the Latin font subset to avoid a layout shift. */
const isMainFont = (file: string): boolean => /\/geist(-mono)?-latin-wght-normal-[^/]*\.woff2$/.test(file)

const toFontLink = (file: string) => ({
  tag: 'link',
  attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${file}` },
  injectTo: 'head' as const,
})

const toChunkLink = (file: string) => ({
  tag: 'link',
  attrs: { rel: file.endsWith('.css') ? 'stylesheet' : 'modulepreload', crossorigin: true, href: `/${file}` },
  injectTo: 'head' as const,
})

/** Modules that this many screens share go into one chunk: many tiny chunks would queue behind one another. */
const MIN_SHARING_SCREENS = 6

type Modules = Rolldown.ChunkingContext

/** The screen of which `checks/firstLoad.test.ts` measures what it loads first. */
const FIRST_SCREEN = '/src/features/playground/chat/ChatPage.tsx'

/**
 * Names the common chunks for modules of ours that many screens import, directly or indirectly: `common` for those that the
 * first screen needs too, `commonForms` for the others, such as dialogs, which would make its first load 23 KiB heavier.
 */
const createCommonChunkNamer = (
  name: string,
  isForFirstScreen: boolean,
): ((id: string, modules: Modules) => string | null) => {
  let screens: Map<string, Set<string>> | null = null
  return (id, modules) => {
    if (!id.includes('/src/') || id.includes('/node_modules/')) return null
    screens ??= listModulesByScreen(modules)
    const sharing = [...screens].filter(([, reached]) => reached.has(id)).map(([screen]) => screen)
    if (sharing.length < MIN_SHARING_SCREENS) return null
    return sharing.some((screen) => screen.endsWith(FIRST_SCREEN)) === isForFirstScreen ? name : null
  }
}

function listModulesByScreen(modules: Modules): Map<string, Set<string>> {
  const visit = (id: string, reached: Set<string>): Set<string> => {
    if (reached.has(id) || id.includes('/node_modules/')) return reached
    reached.add(id)
    // A copy: the bundler reuses the array.
    for (const one of [...(modules.getModuleInfo(id)?.importedIds ?? [])]) visit(one, reached)
    return reached
  }
  const screens = [...(modules.getModuleInfo(SCREENS_FILE)?.dynamicallyImportedIds ?? [])]
  return new Map(screens.map((screen) => [screen, visit(screen, new Set())]))
}

const codeSplitting = (): Rolldown.CodeSplittingOptions => ({
  groups: [
    // The entry must not wait for what it preloads.
    { name: 'entry', test: /\/src\/app\/entryClient\.ts$|preload-helper/, priority: 7 },
    { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\//, priority: 6 },
    { name: 'contract', test: /\/src\/contract\/(endpoint|problem|permissions|platform\/schemas)\.ts$/, priority: 5 },
    { name: 'shell', test: /\/src\/app\/entry\.tsx$/, priority: 4 },
    // A group takes what its modules import and no earlier one has: icons of the first screen are not left to the forms.
    { name: createCommonChunkNamer('common', true), debugName: 'common', priority: 3 },
    { name: 'icons', test: /\/@tabler\/icons-react\//, minShareCount: 2, priority: 2 },
    { name: createCommonChunkNamer('commonForms', false), debugName: 'commonForms', priority: 1 },
  ],
})

export default defineConfig({
  plugins: [compileMessages(), keepWoff2Fonts(), react(), preloadShell(), requireKnownInputs()],
  // The server replaces it with the nonce of each page.
  html: { cspNonce: '__NONCE__' },
  server: { port: 5173, strictPort: false, proxy: { '/api': { target: 'http://127.0.0.1:8787', ws: true } } },
  // Its browser build needs a document; the Markdown worker has none.
  resolve: {
    alias: {
      'decode-named-character-reference': createRequire(import.meta.url).resolve('decode-named-character-reference'),
    },
  },
  // The chunk lab's worker loads its parsers and the tokenizer vocabulary on demand.
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    sourcemap: false,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: codeSplitting() } },
  },
})
