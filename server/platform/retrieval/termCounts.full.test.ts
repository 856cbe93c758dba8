import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWith, requirements } from '#support/requirements.ts'
import type { Database } from '../../db/database.ts'
import { openTwoPlatforms, type TwoPlatforms } from '../datasets/twoPlatforms.fixture.ts'
import { createTermUpgrade } from '../indexing/termUpgrade.ts'
import { findMiscountedTerms } from './termCounts.testing.ts'
import { TERMS_VERSION } from './termsVersion.ts'

const WRITER_COUNT = 8
const ROUND_COUNT = 4

describeWith(requirements.postgresql)('two servers that write into one dataset on one PostgreSQL', () => {
  let servers: TwoPlatforms
  beforeAll(async () => {
    servers = await openTwoPlatforms()
  })
  afterAll(() => servers.close())

  it('count each term once, and do not wait for each other for ever', async () => {
    const databases = [servers.first.database, servers.second.database]
    const { pool } = servers.first.database
    const first = servers.first.platform
    const id = await first.newDataset()
    const write = async (writer: number) => {
      const { platform } = writer % 2 === 0 ? servers.first : servers.second
      const document = await platform.addText(id, `tea ${writer}\ncoffee ${writer}`)
      const path = `/datasets/${id}/documents/${document['id']}/segments`
      for (let round = 0; round < ROUND_COUNT; round++) {
        const added = await platform.send('POST', path, { segments: [{ content: `water, tea and milk ${round}` }] })
        expect([added.status, added.body]).toEqual([200, expect.anything()])
        const segment = added.body['data']?.[0]?.['id'] as unknown as string
        const changed = await platform.send('POST', `${path}/${segment}`, {
          segment: { content: `milk, then tea ${round}` },
        })
        expect([changed.status, changed.body]).toEqual([200, expect.anything()])
        if (round % 2 === 0) expect((await platform.send('DELETE', `${path}/${segment}`)).status).toBe(204)
      }
    }
    // An upgrade of both servers goes on meanwhile.
    const outdate = (database: Database) =>
      database.transaction(async (client) => {
        await client.query('SELECT FROM platform.passage_totals WHERE dataset_id = $1 FOR UPDATE', [id])
        await client.query(
          `UPDATE platform.passages SET terms_version = 0 WHERE id IN (
             SELECT id FROM platform.passages WHERE dataset_id = $1 FOR UPDATE SKIP LOCKED)`,
          [id],
        )
        await client.query('UPDATE platform.datasets SET terms_version = 0 WHERE id = $1', [id])
      })
    let isWriting = true
    const upgrade = async (database: Database) => {
      const upgradeTerms = createTermUpgrade(database)
      while (isWriting) {
        await retryLock(() => outdate(database))
        while (await retryLock(upgradeTerms));
      }
    }
    const writing = Promise.all(Array.from({ length: WRITER_COUNT }, (_, writer) => write(writer)))
    const upgrades = Promise.all(databases.map(upgrade))
    await writing.finally(() => (isWriting = false))
    await upgrades
    // Either may have stopped since the other one was upgrading, just before that one outdated the dataset again.
    const upgradeTerms = createTermUpgrade(servers.first.database)
    await expect
      .poll(async () => {
        while (await upgradeTerms());
        return countOutdated(pool, id)
      })
      .toBe(0)
    expect(await findMiscountedTerms(pool)).toEqual([])
    const { rows } = await pool.query<{ passages: number }>(
      'SELECT passages FROM platform.passage_totals WHERE dataset_id = $1',
      [id],
    )
    expect(rows[0]?.passages).toBe(WRITER_COUNT * (1 + ROUND_COUNT / 2))
  })
})

/** On a busy machine a lock may take longer than a statement waits for it: true, as there is more to do. */
const retryLock = <Result>(work: () => Promise<Result>): Promise<Result | true> =>
  work().catch((error: { code?: string }) => {
    if (error.code !== '55P03') throw error
    return true
  })

async function countOutdated(pool: Pool, dataset_id: string): Promise<number> {
  const { rowCount } = await pool.query('SELECT FROM platform.passages WHERE dataset_id = $1 AND terms_version < $2', [
    dataset_id,
    TERMS_VERSION,
  ])
  return rowCount ?? 0
}
