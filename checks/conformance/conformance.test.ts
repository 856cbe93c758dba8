import { rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { platformEntries } from '#contract/platformEntries.ts'
import { openDatabase, type Database } from '../../server/db/database.ts'
import { createTestFolder } from '../../server/db/embedded/folder.testing.ts'
import { TEST_KEYS } from '../../server/platform/platformKeys.fixture.ts'
import { buildPlatform } from '../../server/platform/platform.ts'
import { findMisfit } from './tableFit.ts'
import { Document, Segment } from './fieldTables.ts'
import { runConformance } from './runConformance.ts'
import { DriftWatch } from './driftWatch.ts'

const keys = { knowledge: 'key-knowledge', chat: 'key-chat', completion: 'key-completion', workflow: 'key-workflow' }

const OPERATION_NAMES = [...platformEntries].flatMap(([name, { optional }]) => (optional ? [] : [name])).sort()

describe('the conformance suite', () => {
  let folder = ''
  let database: Database
  let app: Awaited<ReturnType<typeof buildPlatform>>
  beforeAll(async () => {
    folder = await createTestFolder()
    database = await openDatabase({ folder })
    app = await buildPlatform({ database, keys: TEST_KEYS, model: null, log: pino({ level: 'silent' }), version: '0' })
    await app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(async () => {
    await app.close()
    await database.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('finds nothing wrong with the built-in platform', async () => {
    const { port } = app.server.address() as AddressInfo
    const watch = new DriftWatch()
    const outcomes = await runConformance(
      { base: `http://127.0.0.1:${port}/v1`, keys },
      () => undefined,
      (request, reply) => watch.observe(request, reply),
      { workflow: { header: 'Bearer key-workflow-approval' }, chatflow: { header: 'Bearer key-chatflow' } },
    )
    expect(outcomes.filter(({ problem }) => problem !== null)).toEqual([])
    expect(outcomes.length).toBeGreaterThan(400)
    expect(watch.drift).toEqual([])
    const states = outcomes.map(({ name }) => name).filter((name) => /^[a-z ]+: (not )?offered$/.test(name))
    expect(states).toEqual([
      'tags: offered',
      'metadata: offered',
      'downloads: offered',
      'pipelines: not offered',
      'site: offered',
      'meta: offered',
      'feedbacks: offered',
      'speech: not offered',
      'end users: offered',
      'versions: offered',
      'run events: offered',
    ])
    // It takes no pages from the web, so that word is one that nobody saw.
    const never = { kind: 'word', event: null, path: 'data[].data_source_type', value: 'website_crawl', since: null }
    expect(watch.listNeverSeen('documents.list')).toContainEqual(never)
    expect([...watch.operations].filter((name) => !name.startsWith('adjacent.')).sort()).toEqual(OPERATION_NAMES)
  })
})

describe('a field table', () => {
  it('says which fields are missing, of another type, or null where they may not be', () => {
    expect(findMisfit({ id: 'uuid', error: 'string or null' }, { id: crypto.randomUUID(), error: null })).toBeNull()
    expect(findMisfit({ tokens: 'integer', name: 'string' }, { tokens: 1.5, name: null })).toBe(
      'tokens is no integer but 1.5; name is no string but null',
    )
    expect(findMisfit(Document, {})?.split('; ')).toHaveLength(20)
    expect(findMisfit(Segment, [])).toBe('is no record but []')
  })
})
