import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { beforeAll, expect, test, vi } from 'vitest'
import { ROOT_FOLDER } from './runCommand.ts'

/** What the first load of `/chat` may weigh, gzip -9: of which 203.1 KiB are used; the goal is 200 KiB. */
const MAX_FIRST_LOAD_BYTES = 204 * 1024
/** The entry, the bundler's runtime, React, the contract, the shell and the screen. */
const MAX_FIRST_LOAD_CHUNKS = 6

type Chunk = Rolldown.OutputChunk

let chunks: readonly Chunk[]
let page: string
let screens: Record<string, string[]>
let files: string[]
beforeAll(async () => {
  // As it ships: the runner's own would build React for tests.
  vi.stubEnv('NODE_ENV', 'production')
  const built = (await build({
    root: ROOT_FOLDER,
    logLevel: 'error',
    build: { write: false },
  })) as Rolldown.RolldownOutput
  vi.unstubAllEnvs()
  const html = built.output.find((one) => one.fileName === 'index.html')
  page = html?.type === 'asset' ? String(html.source) : ''
  const needs = built.output.find((one) => one.fileName === 'screens.json')
  screens = needs?.type === 'asset' ? (JSON.parse(String(needs.source)) as Record<string, string[]>) : {}
  files = built.output.map(({ fileName }) => fileName)
  chunks = built.output.filter((one): one is Chunk => one.type === 'chunk')
})

test('the first load of /chat is less than 204 KiB in 6 chunks and has the messages of no other screen', () => {
  const loaded = listFirstLoad('/src/features/playground/chat/ChatPage.tsx')
  const bytes = loaded.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0)
  expect(bytes).toBeLessThan(MAX_FIRST_LOAD_BYTES)
  expect(loaded.length).toBeLessThanOrEqual(MAX_FIRST_LOAD_CHUNKS)
  expect(listFeatures(loaded)).toEqual(['playground/chat', 'runs/inputs', 'runs/inspector'])
})

test('each screen brings its own messages, and those that screens share', () => {
  const shared = ['runs/detail', 'runs/inputs', 'runs/inspector']
  expect(listFeatures(listFirstLoad('/src/features/knowledge/datasets/DatasetsPage.tsx'))).toEqual([
    'knowledge/datasets',
    'knowledge/tags',
    ...shared,
  ])
  expect(listFeatures(listFirstLoad('/src/features/ledger/LedgerPage.tsx'))).toEqual([
    'ledger',
    'runs/callFilters',
    'runs/callList',
    ...shared,
  ])
})

test('the page preloads the shell and its styles', () => {
  const [shell] = listFirstLoad('/src/app/entry.tsx').filter(({ name }) => name === 'shell')
  expect(page).toContain(`href="/${shell?.fileName ?? 'no shell chunk'}"`)
  expect(page).toMatch(/rel="stylesheet" crossorigin href="\/assets\/shell-[^"]+\.css"/)
})

test('the server knows which chunks a screen needs beyond the shell', () => {
  const shellFiles = listFirstLoad('/src/app/entry.tsx').map(({ fileName }) => fileName)
  const beyond = listFirstLoad('/src/features/playground/chat/ChatPage.tsx').flatMap(({ fileName }) =>
    shellFiles.includes(fileName) ? [] : [fileName],
  )
  expect(screens['/chat']?.filter((file) => file.endsWith('.js')).toSorted()).toEqual(beyond.toSorted())
  expect(Object.entries(screens).filter(([, needed]) => needed.length === 0)).toEqual([])
  expect(Object.values(screens).flatMap((needed) => needed.filter((file) => !files.includes(file)))).toEqual([])
})

/** What is read before a screen is drawn: the shell, the screen, and all that they import. */
function listFirstLoad(screen: string): Chunk[] {
  const entries = ['/src/app/entryClient.ts', '/src/app/entry.tsx', screen].map((file) => {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(file)))
    if (!chunk) throw new Error(`No chunk has ${file}.`)
    return chunk
  })
  const loaded = new Set<Chunk>()
  const addWithImports = (chunk: Chunk): void => {
    if (loaded.has(chunk)) return
    loaded.add(chunk)
    for (const one of chunks) if (chunk.imports.includes(one.fileName)) addWithImports(one)
  }
  entries.forEach(addWithImports)
  return [...loaded]
}

/** The features whose messages are among these, sorted. */
const listFeatures = (loaded: readonly Chunk[]): string[] =>
  loaded
    .flatMap(({ moduleIds }) =>
      moduleIds.flatMap((id) => /\/src\/features\/([\w/]+)\/messages\.ts$/.exec(id)?.[1] ?? []),
    )
    .toSorted()
