import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Pool } from 'pg'
import { extract } from 'tar'
import { expect, it, vi } from 'vitest'
import { LoupeProcess } from '#support/loupeProcess.ts'
import { programs } from '#support/programs.ts'
import { describeWith, requirements, SHARED_DATA } from '#support/requirements.ts'
import { startPostgresql } from '../server/db/postgresql.testing.ts'
import { Ledger } from '../server/ledger/ledger.ts'

const FOLDER = join(SHARED_DATA, 'upgrade')

interface StoredRun {
  id: string
  status: string
  frames: number
  /** Of the texts of its frames, joined by an empty line. */
  sha256: string
}
interface StoredCounts {
  calls: { count: number }
  paused_runs: { run: string }[]
  boards: { id: string; rounds_sent: string[]; rounds_unsent: string[] }[]
  batches: { id: string; state: string; rows: Record<string, number> }[]
  built_in_platform: { datasets: { id: string; documents: number; segments: number }[] }
}

const readStored = <Stored>(name: string): Stored =>
  JSON.parse(readFileSync(join(FOLDER, `pg-${name}-cb9b84bc.json`), 'utf8')) as Stored

const dump = requirements.sharedData('upgrade/pg-cb9b84bc.dump')

describeWith(dump.isMet ? requirements.postgresql : dump)('a PostgreSQL database of an earlier version', () => {
  it('keeps its runs, frames, boards, batches and datasets, reads runs again, and sends nothing', async () => {
    const server = await startPostgresql()
    const loupe = new LoupeProcess({ DATABASE_URL: server.url })
    const pool = new Pool({ connectionString: server.url })
    try {
      execFileSync(join(programs.postgresql.find() ?? '', 'pg_restore'), [
        '--no-owner',
        `--dbname=${server.url}`,
        join(FOLDER, 'pg-cb9b84bc.dump'),
      ])
      await extract({ file: join(FOLDER, 'pg-secrets-cb9b84bc.tgz'), cwd: loupe.folder })
      await loupe.start()
      const count = async (sql: string, values: unknown[] = []) =>
        (await pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${sql}`, values)).rows[0]?.n
      await vi.waitFor(
        async () =>
          expect((await pool.query('SELECT is_done FROM run_recalculations')).rows).toEqual([{ is_done: true }]),
        { timeout: 60_000, interval: 200 },
      )

      const ledger = new Ledger(pool)
      const stored = readStored<StoredCounts>('counts')
      const expired = new Set(stored.paused_runs.map(({ run }) => run))
      const runs = readStored<StoredRun[]>('runs')
      const { rows } = await pool.query<StoredRun>('SELECT id, status FROM calls WHERE id = ANY ($1)', [
        runs.map(({ id }) => id),
      ])
      const found = new Map(rows.map(({ id, status }) => [id, status]))
      for (const { id, status, frames, sha256 } of runs.filter(({ id }) => !expired.has(id))) {
        expect([id, found.get(id)]).toEqual([id, status])
        const blocks = (await ledger.readFrames(id, 0, 5_000)).map(({ block }) => block)
        expect([id, blocks.length, hashBlocks(blocks)]).toEqual([id, frames, sha256])
      }
      expect(await count('calls')).toBe(stored.calls.count)
      for (const { id, rounds_sent, rounds_unsent } of stored.boards) {
        expect(await count('saved_items WHERE id = $1', [id])).toBe(1)
        expect(await count('calls WHERE id = ANY ($1)', [rounds_sent])).toBe(rounds_sent.length)
        expect(await count('calls WHERE id = ANY ($1)', [rounds_unsent])).toBe(0)
        expect(await count(`batches WHERE id = $1 AND kind = 'board' AND state = 'paused'`, [id])).toBe(1)
        expect(await count('batch_rows WHERE batch_id = $1 AND run_id = ANY ($2)', [id, rounds_sent])).toBe(
          rounds_sent.length,
        )
        expect(await count(`batch_rows WHERE batch_id = $1 AND state = 'waiting'`, [id])).toBe(rounds_unsent.length)
      }
      for (const { id, state, rows: expected } of stored.batches) {
        const batch = await pool.query<{ state: string }>('SELECT state FROM batches WHERE id = $1', [id])
        expect([id, batch.rows]).toEqual([id, [{ state }]])
        for (const [status, rowCount] of Object.entries(expected))
          expect([id, status, await count('batch_rows WHERE batch_id = $1 AND state = $2', [id, status])]).toEqual([
            id,
            status,
            rowCount,
          ])
      }
      for (const { id, documents, segments } of stored.built_in_platform.datasets) {
        const inDataset = 'platform.documents d WHERE d.dataset_id = $1 AND d.removed_at IS NULL'
        expect([id, await count(inDataset, [id])]).toEqual([id, documents])
        expect([
          id,
          await count(`platform.segments s WHERE s.document_id IN (SELECT d.id FROM ${inDataset})`, [id]),
        ]).toEqual([id, segments])
      }
    } finally {
      await pool.end()
      await loupe.remove()
      await server.stop()
    }
  })
})

const hashBlocks = (blocks: readonly string[]): string => createHash('sha256').update(blocks.join('\n\n')).digest('hex')
