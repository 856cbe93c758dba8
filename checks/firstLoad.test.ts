import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { beforeAll, expect, test, vi } from 'vitest'
import { ROOT_FOLDER } from './runCommand.ts'

/** What the first load of a screen may weigh, gzip -9: the goal, of which 236 KiB are used. */
const MAX_FIRST_LOAD_BYTES = 240 * 1024

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

test('the first load of /chat is less than 240 KiB and has the messages of no other screen', () => {
  const loaded = listFirstLoad('/src/features/playground/chat/ChatPage.tsx')
  const bytes = loaded.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0)
  expect(bytes).toBeLessThan(MAX_FIRST_LOAD_BYTES)
  expect(listFeatures(loaded)).toEqual(['playground/chat', 'runs/detail', 'runs/version'])
})

test('each screen brings its own messages', () => {
  expect(listFeatures(listFirstLoad('/src/features/knowledge/datasets/DatasetsPage.tsx'))).toEqual([
    'knowledge/datasets',
    'knowledge/tags',
    'runs/detail',
    'runs/version',
  ])
  expect(listFeatures(listFirstLoad('/src/features/ledger/LedgerPage.tsx'))).toEqual([
    'runs/callFilters',
    'runs/detail',
    'runs/version',
    'runs/callList',
    'ledger',
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

/** The features whose words are among these. */
const listFeatures = (loaded: readonly Chunk[]): string[] =>
  loaded.flatMap(({ moduleIds }) =>
    moduleIds.flatMap((id) => /\/src\/features\/([\w/]+)\/messages\.ts$/.exec(id)?.[1] ?? []),
  )
