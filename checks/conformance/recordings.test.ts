import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { findPlatformEntry } from '#contract/platformEntries.ts'
import { getSchemaTree, type SchemaNode } from '#domain/contractDrift/schemaTree.ts'
import { observeReply, REPLY_PART, type SeenPaths } from '#domain/contractDrift/observeReply.ts'
import {
  getContentType,
  isRefusal,
  isStream,
  readRecordings,
  readTestedRecordings,
  type Recording,
  SAMPLE_RECORDINGS,
} from '#support/recordings/recordings.ts'
import { getRecordedEnd, isStopped } from '#support/recordings/recordedEnds.ts'
import { describeWith, requirements, SHARED_DATA } from '#support/requirements.ts'
import { toGeneratingEntry, toRunStatus } from '../../server/ledger/runStatus.ts'
import { foldRecordedStream, judgeExchange } from './recordedExchange.ts'

const SHARED_RECORDINGS = join(SHARED_DATA, 'real-servers')

/** Requests that the contract cannot make, by operation, with how often they were recorded. An entry for one removes it here. */
const SHARED_WITHOUT_ENTRY = {
  'GET /datasets/:id/documents/:id/upload-file': 2,
  'GET /datasets/nonsense': 2,
  'GET /no/such/path': 2,
  'GET /workflows/run/nonsense': 2,
  'POST /apps/annotation-reply/toggle': 2,
  'POST /datasets/:id/tags': 2,
  'PUT /datasets/:id': 2,
}
const SAMPLES_WITHOUT_ENTRY = {
  'GET /datasets/:id/documents/glaze': 2,
  'GET /workflows/run/kiln': 2,
}

const testRecordings = (folder: string, withoutEntry: Record<string, number>) => () => {
  // Not while the tests are collected: the folder of a skipped suite does not exist.
  let recordings: Recording[] = []
  beforeAll(() => {
    recordings = readTestedRecordings(folder)
  })

  it('are read by the contract without drift', () => {
    const verdicts = recordings.flatMap(({ name, exchanges }) =>
      exchanges.map((exchange) => ({ release: name, ...judgeExchange(exchange) })),
    )
    expect(verdicts.filter(({ difference }) => difference !== null)).toEqual([])
    const others = verdicts.filter(({ hasEntry }) => !hasEntry).map(({ operation }) => operation)
    expect(toCounts(others)).toEqual(withoutEntry)
  })

  it('fold, piece by piece, to the end that the recording shows', () => {
    for (const { name: release, exchanges } of recordings)
      for (const exchange of exchanges.filter(isStream)) {
        const found = findPlatformEntry(exchange.request.method, exchange.request.path)
        const { state } = foldRecordedStream(exchange, toGeneratingEntry(found?.name ?? ''))
        // Only the sender of a stop knows of it: the stream alone shows some end.
        const isStop = isStopped(exchange)
        const end = isStop ? state.ended : toRunStatus(state)
        expect([release, exchange.name, end]).toEqual([release, exchange.name, isStop || getRecordedEnd(exchange)])
      }
  })

  it('have a field that is marked with a release from that release on', () => {
    const seen = listMarkedFields(recordings.find(({ name }) => name.endsWith('-1.9'))!)
    expect(Object.entries(seen).filter(([, since]) => since !== '1.9')).toEqual([])
    expect(Object.values(listMarkedFields(recordings.find(({ name }) => name.endsWith('-1.16'))!))).toContain('1.16')
  })
}

function toCounts(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

/** The fields of a release's replies that are marked with a release: `documents.list data[].need_summary` and its mark. */
function listMarkedFields({ exchanges }: Recording): Record<string, string> {
  const marks: Record<string, string> = {}
  for (const exchange of exchanges) {
    const found = findPlatformEntry(exchange.request.method, exchange.request.path)
    const isJson = getContentType(exchange).startsWith('application/json')
    if (!found || isRefusal(exchange) || !isJson || exchange.response.body === '') continue
    const parts: SeenPaths = new Map()
    observeReply(found.entry, exchange.response.status, JSON.parse(exchange.response.body), parts)
    for (const node of listNodes(getSchemaTree(found.entry.reply)))
      if (node.since && parts.get(REPLY_PART)?.has(node.path)) marks[`${found.name} ${node.path}`] = node.since
  }
  return marks
}

const listNodes = (node: SchemaNode): SchemaNode[] => [
  node,
  ...[...(node.fields?.values() ?? []), ...(node.item ? [node.item] : []), ...(node.options ?? [])].flatMap(listNodes),
]

describe('our own samples of recordings', testRecordings(SAMPLE_RECORDINGS, SAMPLES_WITHOUT_ENTRY))
describeWith(requirements.sharedData('real-servers/dify-1.9.jsonl'))(
  'the recordings of two releases',
  testRecordings(SHARED_RECORDINGS, SHARED_WITHOUT_ENTRY),
)

describe('npm run conformance -- --recordings', () => {
  const command = join(import.meta.dirname, '../conformance.ts')

  it('prints a line for each exchange', () => {
    const lines = execFileSync(process.execPath, [command, '--recordings', SAMPLE_RECORDINGS], { encoding: 'utf8' })
      .trim()
      .split('\n')
    const total = readRecordings(SAMPLE_RECORDINGS).reduce((sum, { exchanges }) => sum + exchanges.length, 0)
    expect(lines).toHaveLength(total + 1)
    expect(lines).toContain('release-1.9 | segment delete, again | adjacent.deleteSegment | ok: 404 Segment not found.')
    expect(lines.at(-1)).toBe(`${total} passed, 0 failed`)
  })

  it('names what differs, and fails', () => {
    const folder = mkdtempSync(join(tmpdir(), 'recordings-'))
    try {
      const [first = ''] = readFileSync(join(SAMPLE_RECORDINGS, 'release-1.16.jsonl'), 'utf8').split('\n')
      writeFileSync(join(folder, 'changed.jsonl'), first.replace('only_me', 'the_moon'))
      const { status, stdout } = spawnSync(process.execPath, [command, '--recordings', folder], { encoding: 'utf8' })
      expect(stdout.split('\n')[0]).toBe(
        'changed | dataset list | adjacent.listDatasets | DIFFERS: word data[].permission the_moon',
      )
      expect(status).toBe(1)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
