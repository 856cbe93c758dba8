import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { expect, it } from 'vitest'
import { openDatabase } from '../../db/database.ts'
import { createTestFolder } from '../../db/embedded/folder.testing.ts'
import { ServerState } from '../../serverState.ts'
import { ServerLease } from './serverLease.ts'
import { ServerStatus } from './serverStatus.ts'

it('a heartbeat describes the server, and a new state is not lost in a heartbeat that is being written', async () => {
  const folder = await createTestFolder()
  const { pool, close } = await openDatabase({ folder })
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
  rmSync(folder, { recursive: true, force: true })
})
