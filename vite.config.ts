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

const JSX_RUNTIME_FILE = fileURLToPath(new URL('src/app/jsxRuntime.ts', import.meta.url))

/** Components of packages draw through our JSX runtime as well. */
const boundTextRuns = (): Plugin => ({
  name: 'bound-text-runs',
  apply: 'build',
  enforce: 'pre',
  resolveId: {
    filter: { id: /^react\/jsx-runtime$/ },
    handler: (_source, importer) => (importer === JSX_RUNTIME_FILE ? null : JSX_RUNTIME_FILE),
  },
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

/** The screen of which `checks/firstLoad.test.ts` measures what it loads first. */
const FIRST_SCREEN = '/src/features/playground/chat/ChatPage.tsx'

type Modules = Rolldown.ChunkingContext

/** The modules of ours that screens import, directly or indirectly. */
interface ScreenImports {
  first: Set<string>
  /** What those of the first screen import of packages by name: `@tabler/icons-react IconX`. */
  packageNames: Set<string>
  /** Of any other screen, at once or when needed. */
  others: Set<string>
  ofEach: Set<string>[]
}

function readScreenImports(modules: Modules): ScreenImports {
  const visit = (id: string, reached: Set<string>, isLater = false): Set<string> => {
    if (reached.has(id) || id.includes('/node_modules/')) return reached
    reached.add(id)
    const info = modules.getModuleInfo(id)
    // A copy: the bundler reuses the array.
    const imported = [...(info?.importedIds ?? []), ...(isLater ? (info?.dynamicallyImportedIds ?? []) : [])]
    for (const one of imported) visit(one, reached, isLater)
    return reached
  }
  const screens = [...(modules.getModuleInfo(SCREENS_FILE)?.dynamicallyImportedIds ?? [])]
  const isFirst = (screen: string) => screen.endsWith(FIRST_SCREEN)
  const others = new Set<string>()
  for (const screen of screens.filter((one) => !isFirst(one))) visit(screen, others, true)
  const first = visit(screens.find(isFirst) ?? FIRST_SCREEN, new Set())
  const listNames = (id: string) =>
    [
      ...(modules.getModuleInfo(id)?.code ?? '').matchAll(/^import\s*\{([^}]*)\}\s*from\s*["']([^."'][^"']*)/gm),
    ].flatMap(([, names = '', source]) =>
      names.split(',').map((name) => `${source} ${name.replace(/ as .*/, '').trim()}`),
    )
  return {
    first,
    packageNames: new Set([...first].flatMap(listNames)),
    others,
    ofEach: screens.map((screen) => visit(screen, new Set())),
  }
}

/** The package of a module and the name of its file as an export: icons and hooks are in files of their own. */
const toPackageName = (id: string): string =>
  id.replace(/^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\/.*?([^/]+?)\.\w+$/, (_, name: string, file: string) => {
    const exported = file.replaceAll(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase())
    return `${name} ${exported}`
  })

/**
 * Few chunks for what loads at once: `shell` also has what the first screen shares with others, `chat` what it needs alone. Then
 * `commonForms` has what many other screens share, such as dialogs: in the shell it would make the first load 23 KiB heavier.
 */
function codeSplitting(): Rolldown.CodeSplittingOptions {
  let known: ScreenImports | null = null
  const readImports = (modules: Modules) => (known ??= readScreenImports(modules))
  const isShared = (id: string, modules: Modules) => {
    const { first, packageNames, others } = readImports(modules)
    return id.includes('/node_modules/') ? packageNames.has(toPackageName(id)) : first.has(id) && others.has(id)
  }
  return {
    groups: [
      // The entry must not wait for what it preloads.
      { name: 'entry', test: /\/src\/app\/entryClient\.ts$|preload-helper/, priority: 7 },
      { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\//, priority: 6 },
      { name: 'contract', test: /\/src\/contract\/(endpoint|problem|permissions|platform\/schemas)\.ts$/, priority: 5 },
      // A group takes what its modules import and no earlier one has: what is shared comes before what is not.
      {
        name: (id, modules) => (/\/src\/app\/entry\.tsx$/.test(id) || isShared(id, modules) ? 'shell' : null),
        debugName: 'shell',
        priority: 4,
      },
      {
        name: (id, modules) => (readImports(modules).first.has(id) ? 'chat' : null),
        debugName: 'chat',
        priority: 3,
      },
      { name: 'icons', test: /\/@tabler\/icons-react\//, minShareCount: 2, priority: 2 },
      {
        name: (id, modules) =>
          readImports(modules).ofEach.filter((reached) => reached.has(id)).length < MIN_SHARING_SCREENS
            ? null
            : 'commonForms',
        debugName: 'commonForms',
        priority: 1,
      },
    ],
  }
}

export default defineConfig({
  plugins: [boundTextRuns(), compileMessages(), keepWoff2Fonts(), react(), preloadShell(), requireKnownInputs()],
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
