import fs, { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createTestFolder } from '../db/embedded/folder.testing.ts'
import { loadFileLinkSecret } from './secretFile.ts'

it('comes from MASTER_KEY where there is one, else from a file that only its owner reads', async () => {
  const DATA_DIR = await createTestFolder()
  const MASTER_KEY = 'ab'.repeat(32)
  const derived = loadFileLinkSecret({ MASTER_KEY, DATA_DIR })
  expect(derived).toHaveLength(32)
  expect(derived.toString('hex')).not.toBe(MASTER_KEY)
  expect(loadFileLinkSecret({ MASTER_KEY: `${MASTER_KEY},${'cd'.repeat(32)}`, DATA_DIR })).toEqual(derived)
  expect(loadFileLinkSecret({ MASTER_KEY: 'cd'.repeat(32), DATA_DIR })).not.toEqual(derived)

  const file = join(DATA_DIR, 'secrets/file-links.key')
  const flushed = vi.spyOn(fs, 'fsyncSync')
  syncBuiltinESMExports()
  onTestFinished(() => {
    flushed.mockRestore()
    syncBuiltinESMExports()
  })
  const made = loadFileLinkSecret({ MASTER_KEY: undefined, DATA_DIR })
  // The file, and its folder: a power cut must not take a key that a durable database needs.
  expect(flushed).toHaveBeenCalledTimes(2)
  expect(readFileSync(file, 'utf8').trim()).toBe(made.toString('hex'))
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(loadFileLinkSecret({ MASTER_KEY: undefined, DATA_DIR })).toEqual(made)
  writeFileSync(file, 'damaged')
  expect(loadFileLinkSecret({ MASTER_KEY: undefined, DATA_DIR })).not.toEqual(made)
  rmSync(DATA_DIR, { recursive: true })
})
