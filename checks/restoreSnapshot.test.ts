import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase } from '../server/db/database.ts'
import { createTestFolder } from '../server/db/embedded/folder.testing.ts'
import { restoreSnapshot } from '../server/db/snapshots/restoreSnapshot.ts'
import { snapshotFolder, takeSnapshot } from '../server/db/snapshots/snapshots.ts'
import { readTables } from './kill/tableChecksums.ts'

it('a snapshot restored on an empty host holds in every table what stood there, to the letter', async () => {
  const [folder, empty] = [await createTestFolder(), mkdtempSync(join(tmpdir(), 'loupe-restore-'))]
  const first = await openDatabase({ folder })
  await first.pool.query(
    `INSERT INTO sign_in_links(token, expires_at) SELECT 'link ' || n || ' 绿茶 😀', now() FROM generate_series(1, 5000) n`,
  )
  const before = await readTables(first.pool)
  const snapshot = await takeSnapshot(folder, first.copy ?? (() => Promise.reject(new Error())), 1, new Date())
  await first.pool.query('DELETE FROM sign_in_links')
  await first.close()
  cpSync(snapshotFolder(folder), snapshotFolder(empty), { recursive: true })
  expect(await restoreSnapshot(empty, snapshot, new Date())).toBeNull()
  const second = await openDatabase({ folder: empty })
  expect(await readTables(second.pool)).toEqual(before)
  expect(before['public.links']).toMatch(/^5000 /)
  await second.close()
  for (const place of [folder, empty]) rmSync(place, { recursive: true, force: true })
})
