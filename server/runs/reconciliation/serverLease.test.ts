import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { afterEach, expect, it, vi } from 'vitest'
import { openEmptyDatabase } from '../../db/embedded/databasePool.testing.ts'
import { MAX_HEARTBEAT_GAP_MS, SERVER_LEASE_MS } from '../../db/liveServers.ts'
import { ServerState } from '../../serverState.ts'
import { ServerLease } from './serverLease.ts'
import { ServerStatus } from './serverStatus.ts'

afterEach(() => vi.restoreAllMocks())

it('a heartbeat describes the server, and a new state is not lost in a heartbeat that is being written', async () => {
  const { pool, close } = await openEmptyDatabase()
  const server_id = randomUUID()
  const counts = { runs: 2, streams: 5 }
  const serverState = new ServerState()
  const status = new ServerStatus({
    serverState,
    version: '1.2.3',
    readAddress: () => '127.0.0.1:8787',
    countActiveRuns: () => counts.runs,
    countOpenStreams: () => counts.streams,
    readFingerprints: () => ({ master_keys: ['fingerprint'], settings: { fingerprint: { PUBLIC_URL: 'abc' } } }),
  })
  const lease = new ServerLease({ pool, server_id, isShared: true, status })
  const read = async () => (await pool.query('SELECT * FROM servers WHERE id = $1', [server_id])).rows as unknown[]

  await lease.renew()
  const described = {
    version: '1.2.3',
    hostname: hostname(),
    address: '127.0.0.1:8787',
    active_runs: 2,
    open_streams: 5,
    master_keys: ['fingerprint'],
    settings: { fingerprint: { PUBLIC_URL: 'abc' } },
  }
  expect(await read()).toMatchObject([{ ...described, state: 'ready' }])

  counts.runs = 0
  const pending = lease.renew()
  serverState.set('draining')
  await lease.announce()
  expect(await read()).toMatchObject([{ ...described, active_runs: 0, state: 'draining' }])
  await pending
  status.stop()
  await close()
})

it('a server judges others when heartbeats, of any servers, have come for as long as a lease, and not after a gap', async () => {
  const { pool, close } = await openEmptyDatabase()
  const startServer = async () => {
    const server_id = randomUUID()
    const lease = new ServerLease({
      pool,
      server_id,
      isShared: true,
      status: { describe: () => ({ version: '1.2.3' }) as never },
    })
    await lease.renew()
    return { server_id, lease, judges: () => lease.silentAfterMs === SERVER_LEASE_MS }
  }
  const shift = (server_id: string, seenMs: number, steadyMs: number | null) =>
    pool.query(
      `UPDATE servers SET seen_at = now() - $2 * interval '1 millisecond', steady_since = now() - $3 * interval '1 millisecond' WHERE id = $1`,
      [server_id, seenMs, steadyMs],
    )
  const first = await startServer()
  expect(first.judges()).toBe(false)

  await shift(first.server_id, 2_000, SERVER_LEASE_MS + 2_000)
  expect((await startServer()).judges(), 'beside one that has written for longer than a lease').toBe(true)
  await first.lease.renew()
  expect(first.judges()).toBe(true)

  const time = performance.now()
  vi.spyOn(performance, 'now').mockReturnValue(time + MAX_HEARTBEAT_GAP_MS + 500)
  expect(first.judges(), 'whose own heartbeat is late').toBe(false)
  vi.restoreAllMocks()

  await pool.query(`UPDATE servers SET seen_at = now() - $1 * interval '1 millisecond'`, [MAX_HEARTBEAT_GAP_MS + 500])
  expect((await startServer()).judges(), 'after a gap').toBe(false)
  await pool.query('UPDATE servers SET seen_at = now(), steady_since = NULL')
  expect((await startServer()).judges(), 'beside a release before').toBe(false)
  await close()
})
