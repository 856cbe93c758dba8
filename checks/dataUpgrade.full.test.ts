import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { extract } from 'tar'
import { expect, it } from 'vitest'
import type { BoardRounds } from '#contract/console/boards.ts'
import { LoupeProcess } from '#support/loupeProcess.ts'
import { describeWith, requirements, SHARED_DATA } from '#support/requirements.ts'
import { type Database, openDatabase } from '../server/db/database.ts'
import { openPglite } from '../server/db/embedded/openPglite.ts'
import { FrameSealer } from '../server/ledger/frames/frameSealer.ts'
import { Ledger } from '../server/ledger/ledger.ts'
import { type OpenPlatform, openPlatform } from '../server/platform/datasets/platform.fixture.ts'
import { createTermUpgrade } from '../server/platform/indexing/termUpgrade.ts'
import { findMiscountedTerms } from '../server/platform/retrieval/termCounts.testing.ts'
import { TERMS_VERSION } from '../server/platform/retrieval/termsVersion.ts'
import { signIn } from './kill/consoleClient.ts'
import { runCommand } from './runCommand.ts'

const FOLDER = join(SHARED_DATA, 'upgrade')
const SETUP_TOKEN = 'bar-setup-token-0123456789abcdef'
const BOARDS_SETUP_TOKEN = 'loupe-real-dify-setup-0123456789'

interface StoredRun {
  id: string
  entry: string
  status: string
  frames: number
  /** Of the texts of its frames, joined by an empty line. */
  sha256: string
}
interface List<Item> {
  data: Item[]
  total: number
}

/** Statuses that a later version may tell more truly. */
const isTrueStatus = (before: string, now: string) =>
  now === before || (now === 'stopped' && ['succeeded', 'failed'].includes(before))

/** Every searchable segment has a passage of the current version, however far the server came with the upgrade. */
async function expectUpgradedIndex(folder: string): Promise<void> {
  const database = await openDatabase({ folder })
  try {
    // The queue of the platform upgrades it meanwhile.
    const platform = await openPlatform(database)
    await expectFoundTexts(platform, database)
    await platform.close()
    const upgrade = createTermUpgrade(database)
    while (await upgrade());
    const { rows } = await database.pool.query<{ segments: number; passages: number; upgraded: number }>(
      `SELECT (SELECT count(*)::int4 FROM platform.segments s JOIN platform.documents d ON d.id = s.document_id
                WHERE s.enabled AND d.removed_at IS NULL AND d.doc_form <> 'hierarchical_model') AS segments,
              count(*)::int4 AS passages, count(*) FILTER (WHERE terms_version = $1)::int4 AS upgraded
         FROM platform.passages p JOIN platform.documents d ON d.id = p.document_id
        WHERE d.removed_at IS NULL AND p.child_chunk_id IS NULL`,
      [TERMS_VERSION],
    )
    const found = rows[0] ?? { segments: 0, passages: 0, upgraded: 0 }
    expect(found.segments).toBeGreaterThan(0)
    expect(found).toEqual({ segments: found.segments, passages: found.segments, upgraded: found.segments })
    expect(await findMiscountedTerms(database.pool)).toEqual([])
  } finally {
    await database.close()
  }
}

/** A text is found by its own words. */
async function expectFoundTexts(platform: OpenPlatform, { pool }: Database): Promise<void> {
  const { rows } = await pool.query<{ dataset_id: string; id: string; content: string }>(
    `SELECT d.dataset_id, s.id, s.content FROM platform.segments s JOIN platform.documents d ON d.id = s.document_id
      WHERE s.enabled AND d.enabled AND NOT d.archived AND d.indexing_status = 'completed' AND d.removed_at IS NULL
        AND d.doc_form <> 'hierarchical_model' ORDER BY s.id LIMIT 10`,
  )
  for (const { dataset_id, id, content } of rows) {
    const retrieval_model = { search_method: 'keyword_search', top_k: 20 }
    const found = await platform.retrieve(dataset_id, content.slice(0, 250), retrieval_model)
    expect([content, found.map(({ segment }) => segment['id'])]).toEqual([content, expect.arrayContaining([id])])
  }
}

/** All frames of the first version can be sealed, and are read as they were. */
async function expectSealedFrames(folder: string, runs: readonly StoredRun[]): Promise<void> {
  const database = await openDatabase({ folder })
  try {
    const sealer = new FrameSealer({ pool: database.pool, log: pino({ level: 'silent' }), sealAfterMs: 0 })
    sealer.runSoon()
    await sealer.whenIdle()
    const { rows } = await database.pool.query('SELECT count(*)::int4 AS frames FROM frames')
    expect(rows).toEqual([{ frames: 0 }])
    const ledger = new Ledger(database.pool)
    for (const { id, frames, sha256 } of runs) {
      const stored = await ledger.readFrames(id, 0, 5_000)
      expect([id, stored.length, hashFrames(stored)]).toEqual([id, frames, sha256])
    }
  } finally {
    await database.close()
  }
}

const hashFrames = (frames: readonly { block: string }[]): string =>
  createHash('sha256')
    .update(frames.map(({ block }) => block).join('\n\n'))
    .digest('hex')

/** One command puts the database of the first version back, with its own names and all its calls. */
async function expectRestoredVersion(folder: string): Promise<void> {
  const restored = await runCommand(
    process.execPath,
    ['--liftoff-only', 'server/snapshotCommand.ts', 'restore', '--before-upgrade'],
    {
      env: { DATA_DIR: folder },
    },
  )
  expect([restored.ok, restored.output]).toEqual([true, expect.stringContaining('Start the Loupe from before')])
  const database = await openPglite(join(folder, 'database'))
  const { rows } = await database.query(
    `SELECT (SELECT count(*)::int4 FROM calls) AS calls, (SELECT count(*)::int4 FROM things) > 0 AS has_things`,
  )
  await database.close()
  expect(rows).toEqual([{ calls: 215, has_things: true }])
}

describeWith(requirements.sharedData('upgrade/data-f92af02.tgz'))('a data folder of the first version', () => {
  it('starts with everything that was in it, and an audit log that verifies', async () => {
    const loupe = new LoupeProcess({ SETUP_TOKEN, SNAPSHOTS: '1' })
    try {
      await extract({ file: join(FOLDER, 'data-f92af02.tgz'), cwd: loupe.folder, strip: 1 })
      await loupe.start()
      const signedIn = await fetch(`${loupe.url}/api/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-console': '1' },
        body: JSON.stringify({ token: SETUP_TOKEN }),
      })
      const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
      const read = async <Reply>(path: string) => {
        const response = await fetch(loupe.url + path, { headers: { cookie } })
        expect([path, response.status]).toEqual([path, 200])
        return (await response.json()) as Reply
      }
      const workspaces = await read<List<{ id: string }>>('/api/workspaces')
      expect(workspaces.total).toBe(4)
      expect((await read<List<unknown>>('/api/batches')).total).toBe(2)
      const boards = await Promise.all(
        workspaces.data.map(({ id }) => read<List<unknown>>(`/api/saved-items?kind=board&workspace=${id}`)),
      )
      expect(boards.flatMap(({ data }) => data)).toHaveLength(1)
      expect((await read<List<unknown>>('/api/calls?limit=1')).total).toBe(215)
      // The 51 differences that it stored are fields of released platforms, which the contract has learned.
      expect((await read<List<unknown>>('/api/drift')).data).toEqual([])
      for (const kind of ['dataset', 'document'])
        expect((await read<List<unknown>>(`/api/resources?kind=${kind}`)).data.length).toBeGreaterThan(0)

      const runs = JSON.parse(readFileSync(join(FOLDER, 'runs.json'), 'utf8')) as StoredRun[]
      expect((await read<List<unknown>>('/api/runs?limit=1')).total).toBe(runs.length)
      for (const { id, status, frames, sha256 } of runs) {
        const found = await read<StoredRun>(`/api/runs/${id}`)
        expect([id, found.status, isTrueStatus(status, found.status)]).toEqual([id, found.status, true])
        const { data } = await read<List<{ block: string }>>(`/api/runs/${id}/frames?limit=5000`)
        expect([id, data.length, hashFrames(data)]).toEqual([id, frames, sha256])
      }
      await loupe.stop()
      await expectUpgradedIndex(loupe.folder)
      await expectSealedFrames(loupe.folder, runs)
      const verified = await runCommand(process.execPath, ['--liftoff-only', 'server/verifyAuditCommand.ts'], {
        env: { DATA_DIR: loupe.folder },
      })
      expect([verified.ok, verified.output]).toEqual([true, expect.stringContaining('head ')])
      await expectRestoredVersion(loupe.folder)
    } finally {
      await loupe.remove()
    }
  })
})

describeWith(requirements.sharedData('upgrade/data-cb9b84bc.tgz'))('the boards of an earlier data folder', () => {
  it('keep their rounds: those that were sent have ended, the others wait, and nothing is sent', async () => {
    const { boards } = JSON.parse(readFileSync(join(FOLDER, 'counts-cb9b84bc.json'), 'utf8')) as {
      boards: { id: string; rounds_sent: string[]; rounds_unsent: string[] }[]
    }
    const loupe = new LoupeProcess({ SETUP_TOKEN: BOARDS_SETUP_TOKEN })
    try {
      await extract({ file: join(FOLDER, 'data-cb9b84bc.tgz'), cwd: loupe.folder, strip: 1 })
      await loupe.start()
      const { request } = await signIn(loupe, BOARDS_SETUP_TOKEN)
      for (const { id, rounds_sent, rounds_unsent } of boards) {
        await expect
          .poll(async () => {
            const { state, rounds } = (await (await request('GET', `/api/boards/${id}/rounds`)).json()) as BoardRounds
            const isWaiting = rounds.filter((round) => round.state === 'waiting').length
            return [state, isWaiting, rounds.every(({ run }) => run === null || rounds_sent.includes(run))]
          })
          .toEqual([rounds_unsent.length > 0 ? 'paused' : 'ended', rounds_unsent.length, true])
        for (const run of rounds_sent)
          expect([run, (await request('GET', `/api/runs/${run}`)).status]).toEqual([run, 200])
        for (const run of rounds_unsent)
          expect([run, (await request('GET', `/api/runs/${run}`)).status]).toEqual([run, 404])
      }
    } finally {
      await loupe.remove()
    }
  })
})
