import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TestConsole } from '../../app.testing.ts'
import { findAuditHead, verifyAudit, logAuditHead } from './auditLog.ts'

const run = promisify(execFile)
let testConsole: TestConsole
beforeEach(async () => {
  testConsole = await TestConsole.start(undefined, {}, { ownsFolder: true })
})
afterEach(() => testConsole.remove())

const verify = async () =>
  verifyAudit(testConsole.database.pool, await testConsole.console.vault.encryption.auditKeys())
const masterFile = () => join(testConsole.folder, 'secrets', 'master.key')
const restart = async () => {
  await testConsole.restart()
}
/** As somebody who may write to the database and has no key. */
const write = async (text: string, values: unknown[] = []) => {
  await testConsole.query('ALTER TABLE audit DISABLE TRIGGER audit_append_only')
  await testConsole.query(text, values)
}

interface StoredAuditRow {
  seq: string
  at: Date
  hash: string
  [column: string]: unknown
}
const HASHED_COLUMNS = ['seq', 'action', 'person_id', 'person', 'workspace_id', 'about', 'label', 'detail', 'address']
/** Makes the hashes from a row on again, as the first releases wrote them: they need no key. */
async function forgeHashes(from: number): Promise<void> {
  const rows = await testConsole.query<StoredAuditRow>('SELECT *, detail::text AS detail FROM audit ORDER BY seq')
  let previous = rows[from - 2]?.hash ?? '0'.repeat(64)
  for (const row of rows.slice(from - 1)) {
    const fields = [...HASHED_COLUMNS.map((name) => row[name]), previous, row.at.toISOString()]
    const hash = createHash('sha256').update(JSON.stringify(fields)).digest('hex')
    await write('UPDATE audit SET previous = $2, hash = $3, key_id = NULL WHERE seq = $1', [row.seq, previous, hash])
    previous = hash
  }
}

describe('the audit chain', () => {
  /** `npm run audit:verify`, which needs the database for itself. */
  const runCommand = async () => {
    await testConsole.closeConsole()
    try {
      return await run(process.execPath, ['--liftoff-only', 'server/verifyAuditCommand.ts'], {
        env: { ...process.env, DATA_DIR: testConsole.folder, DATABASE_URL: '', MASTER_KEY: '' },
      })
    } finally {
      await testConsole.openConsole()
    }
  }

  it('is keyed from its first row on; the command verifies it with the master key, and finds out what was made again without', async () => {
    const { rows, ...found } = await verify()
    expect(found).toMatchObject({ firstInvalidRow: null, keyed_from: 1, unproven: [] })
    expect((await runCommand()).stdout).toMatch(
      new RegExp(`^${rows} rows are what was written\\.\nhead [0-9a-f]{64}\n$`),
    )
    await write(`UPDATE audit SET label = 'Mallory' WHERE seq = 2`)
    expect(await verify()).toMatchObject({ rows: 1, firstInvalidRow: { seq: 2, why: 'it is not what was written' } })
    await forgeHashes(2)
    expect(await verify()).toMatchObject({
      firstInvalidRow: null,
      unproven: [{ from: 2, key_id: null }],
    })
    await forgeHashes(1)
    expect(await verify()).toMatchObject({ firstInvalidRow: null, keyed_from: null })
    await expect(runCommand()).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('No row is keyed, so nothing is proven') as string,
    })
  })

  it('of a release that knew no key goes on behind a row that says so, and what was before cannot be changed after it', async () => {
    await forgeHashes(1)
    const { rows, lastHash } = await verify()
    await restart()
    const data = await testConsole.list<{ seq: number; action: string; detail: unknown }>('/api/audit')
    expect(data.at(-rows - 1)).toMatchObject({
      seq: rows + 1,
      action: 'audit.keyed',
      detail: { rows, head: lastHash, before: null },
    })
    expect(testConsole.log).toContain('audit chain continues with another key')
    const after = await verify()
    expect(after).toMatchObject({ firstInvalidRow: null, keyed_from: rows + 1, unproven: [] })
    await restart()
    expect(await verify()).toMatchObject({ firstInvalidRow: null, keyed_from: rows + 1, unproven: [] })
    expect(await testConsole.list<unknown>('/api/audit?action=audit.keyed')).toHaveLength(1)
    await write(`UPDATE audit SET label = 'Mallory' WHERE seq = 2`)
    expect(await verify()).toMatchObject({ firstInvalidRow: { seq: 2 } })
    // All hashes before the change-over are made again: the keyed row behind them does not follow.
    const old = (await testConsole.database.pool.query<StoredAuditRow>('SELECT * FROM audit WHERE seq > $1', [rows]))
      .rows
    await forgeHashes(1)
    for (const { seq, previous, hash, key_id } of old)
      await write('UPDATE audit SET previous = $2, hash = $3, key_id = $4 WHERE seq = $1', [
        seq,
        previous,
        hash,
        key_id,
      ])
    expect(await verify()).toMatchObject({
      rows,
      firstInvalidRow: { seq: rows + 1, why: 'it does not follow the row before it' },
    })
  })

  it('is checked by the current master key alone, however often it was renewed', async () => {
    const first = readFileSync(masterFile(), 'utf8')
    for (const _time of ['once', 'twice', 'thrice']) await testConsole.json('POST', '/api/vault/renew')
    expect(await verify()).toMatchObject({ firstInvalidRow: null, keyed_from: 1, unproven: [] })
    await restart()
    expect(readFileSync(masterFile(), 'utf8').trim().split('\n')).toHaveLength(1)
    const rows = await testConsole.query<{ keys: number; first: boolean }>(
      `SELECT count(DISTINCT key_id)::int AS keys, bool_or(sealed LIKE '%' || $1 || '%') AS first FROM audit, audit_keys`,
      [first.trim()],
    )
    expect(rows).toEqual([{ keys: 4, first: false }])
    expect(await verify()).toMatchObject({ firstInvalidRow: null, keyed_from: 1, unproven: [] })
    await write(`UPDATE audit SET label = 'Mallory' WHERE seq = 2`)
    expect(await verify()).toMatchObject({ firstInvalidRow: { seq: 2, why: 'it is not what was written' } })
  })

  it('reports rows as unproven whose key was damaged, which stops neither a renewal nor a start', async () => {
    await testConsole.json('POST', '/api/vault/renew')
    await testConsole.query(`UPDATE audit_keys SET sealed = left(sealed, -4) || 'AAAA'`)
    await testConsole.json('POST', '/api/vault/renew')
    await restart()
    const { firstInvalidRow, unproven } = await verify()
    expect([firstInvalidRow, unproven.map(({ key_id }) => key_id)]).toEqual([
      null,
      [expect.stringMatching(/^[0-9a-f]{8}$/)],
    ])
  })

  it('goes on without a key while the master key is missing, says which rows prove nothing, and is not verified by the command', async () => {
    const master = readFileSync(masterFile(), 'utf8')
    const { rows } = await verify()
    rmSync(masterFile())
    await expect(runCommand()).rejects.toMatchObject({
      code: 78,
      stdout: expect.stringContaining('which is not here, so not checked.') as string,
      stderr: expect.stringContaining('cannot be checked without the master key') as string,
    })
    const without = await verify()
    expect(without.rows).toBeGreaterThan(rows)
    expect(without.unproven).toEqual([
      { from: 1, to: rows, key_id: expect.stringMatching(/^[0-9a-f]{8}$/) as string },
      { from: rows + 1, to: without.rows, key_id: null },
    ])
    writeFileSync(masterFile(), master)
    await restart()
    expect(await verify()).toMatchObject({
      firstInvalidRow: null,
      unproven: [{ from: rows + 1, to: without.rows, key_id: null }],
    })
    expect(await testConsole.list<unknown>('/api/audit?action=audit.keyed')).toHaveLength(1)
  })

  it('has its head logged at start, and again and again', async () => {
    const head = await findAuditHead(testConsole.database.pool)
    testConsole.log = ''
    await testConsole.restart()
    const logged = () =>
      testConsole.log
        .split('\n')
        .filter((line) => line.includes('audit chain head'))
        .map((line) => JSON.parse(line) as { head: string; rows: number })
    await expect.poll(() => logged()[0]).toMatchObject({ ...head })
    const written: unknown[] = []
    const log = {
      info: (entry: unknown) => void written.push(entry),
      error: (entry: unknown) => void written.push(entry),
    }
    const job = logAuditHead({ pool: testConsole.database.pool, log: log as never }, 5)
    await expect.poll(() => written.length).toBeGreaterThan(2)
    job.stop()
    const count = written.length
    await wait(100)
    expect(written.length).toBe(count)
    expect(written[0]).toEqual(await findAuditHead(testConsole.database.pool))
  })
})
