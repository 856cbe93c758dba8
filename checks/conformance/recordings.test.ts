import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { RELEASES, type Release } from '#contract/platform/schemas.ts'
import { findPlatformEntry } from '#contract/platformEntries.ts'
import { getSchemaTree, type SchemaNode } from '#domain/contractDrift/schemaTree.ts'
import { observeReply, REPLY_PART, type SeenPaths } from '#domain/contractDrift/observeReply.ts'
import { asRecord } from '#domain/stream/untrustedJson.ts'
import {
  getContentType,
  isRefusal,
  readRecordings,
  type RecordedExchange,
  type Recording,
  SAMPLE_RECORDINGS,
  SHARED_RECORDINGS,
} from '#support/recordings/recordings.ts'
import { getRecordedEnd, isStopped } from '#support/recordings/recordedEnds.ts'
import { describeWith, requirements } from '#support/requirements.ts'
import { isAnswerState, toRunStatus } from '../../server/ledger/runStatus.ts'
import { findStreamEntry, foldRecordedStream, judgeExchange } from './recordedExchange.ts'

/** Requests that the contract cannot make, by operation, with how often they were recorded. An entry for one removes it here. */
const SHARED_WITHOUT_ENTRY = {
  'GET /datasets/:id/documents/:id/upload-file': 3,
  'GET /datasets/nonsense': 3,
  'GET /no/such/path': 3,
  'GET /workflows/run/nonsense': 3,
  'POST /apps/annotation-reply/toggle': 3,
  'POST /datasets/:id/tags': 3,
  'PUT /datasets/:id': 3,
}
const SAMPLES_WITHOUT_ENTRY = {
  'GET /datasets/:id/documents/glaze': 2,
  'GET /workflows/run/kiln': 2,
}

/** The platform keeps no text of an agent that was stopped: it has the empty text where the stream had words. */
const STOPPED_AGENT = /^(new agent|agent-chat), stopped by its user/

const testRecordings = (folder: string, withoutEntry: Record<string, number>) => () => {
  // Not while the tests are collected: the folder of a skipped suite does not exist.
  let recordings: Recording[] = []
  let streams: ReturnType<typeof foldStreams> = []
  beforeAll(() => {
    recordings = readRecordings(folder)
    streams = foldStreams(recordings)
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
    const ends = streams.map(({ name, exchange, state }) => {
      const end = toRunStatus(state)
      // Only the sender of a stop knows of it: the stream alone shows some end.
      return {
        name,
        end: isStopped(exchange) && end !== 'interrupted' ? 'stopped' : end,
        recorded: getRecordedEnd(exchange),
      }
    })
    expect(ends.filter(({ end, recorded }) => end !== recorded)).toEqual([])
  })

  it('have the text that the platform keeps of an answer', () => {
    const records = new Map(recordings.flatMap(({ exchanges }) => exchanges.flatMap(readMessages)))
    const texts = streams.flatMap(({ name, exchange, state }) => {
      if (!isAnswerState(state) || toRunStatus(state) === 'paused') return []
      const keptTexts = [records.get(state.message_id ?? ''), asRecord(state.run.outputs)?.answer]
      const text = STOPPED_AGENT.test(exchange.name) ? '' : toStoredText(state.text)
      return keptTexts.flatMap((kept) => (typeof kept === 'string' ? [{ name, text, kept: toStoredText(kept) }] : []))
    })
    expect(texts.filter(({ text, kept }) => text !== kept)).toEqual([])
    expect(texts.length).toBeGreaterThan(0)
  })

  it('have a field that is marked with a release from that release on', () => {
    for (const recording of recordings) {
      const release = RELEASES.findLast((one) => recording.name.includes(`-${one}`))!
      const fields = listMarkedFields(recording)
      const isLater = (since: string) => RELEASES.indexOf(since as Release) > RELEASES.indexOf(release)
      expect([recording.name, Object.entries(fields).filter(([, since]) => isLater(since))]).toEqual([
        recording.name,
        [],
      ])
      expect([recording.name, Object.values(fields)]).toEqual([recording.name, expect.arrayContaining([release])])
    }
  })
}

const foldStreams = (recordings: readonly Recording[]) =>
  recordings.flatMap(({ name: release, exchanges }) =>
    exchanges.flatMap((exchange) => {
      const entry = findStreamEntry(exchange)
      return entry ? [{ name: `${release}: ${exchange.name}`, exchange, ...foldRecordedStream(exchange, entry) }] : []
    }),
  )

function toCounts(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

/** The answers that a reply of GET /messages keeps, by the ids of their messages. */
function readMessages({ request, response }: RecordedExchange): [id: string, answer: string][] {
  if (!request.path.startsWith('/messages?') || response.status !== 200) return []
  const { data } = JSON.parse(response.body) as { data: { id: string; answer: string }[] }
  return data.map(({ id, answer }) => [id, answer])
}

/** Without the blanks at its end, which the platform cuts, and the signatures of links, which it renews. */
const toStoredText = (text: string) => text.trimEnd().replace(/\?timestamp=[^)]*/g, '')

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
describeWith(requirements.sharedData('real-servers/dify-1.16.1-more.jsonl'))(
  'the recordings of three releases',
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
