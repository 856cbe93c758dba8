import { rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { platformEntries } from '#contract/entries.ts'
import { open, type Database } from '../server/database/database.ts'
import { newFolder } from '../server/database/folder.testing.ts'
import { KEYS } from '../server/platform/keys.fixture.ts'
import { buildPlatform } from '../server/platform/platform.ts'
import { misfit } from './conformance/fit.ts'
import { Document, Segment } from './conformance/fields.ts'
import { conform } from './conformance/run.ts'
import { Watch } from './conformance/watch.ts'

const keys = { knowledge: 'key-knowledge', chat: 'key-chat', completion: 'key-completion', workflow: 'key-workflow' }

const EIGHTEEN = [...platformEntries].flatMap(([name, { adjacent }]) => (adjacent ? [] : [name])).sort()

describe('the conformance suite', () => {
  let folder = ''
  let database: Database
  let app: Awaited<ReturnType<typeof buildPlatform>>
  beforeAll(async () => {
    folder = await newFolder()
    database = await open({ folder })
    app = await buildPlatform({ database, keys: KEYS, model: null, log: pino({ level: 'silent' }), version: '0' })
    await app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(async () => {
    await app.close()
    await database.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('finds nothing wrong with the built-in platform', async () => {
    const { port } = app.server.address() as AddressInfo
    const watch = new Watch()
    const outcomes = await conform(
      { base: `http://127.0.0.1:${port}/v1`, keys },
      () => undefined,
      (request, reply) => watch.see(request, reply),
    )
    expect(outcomes.filter(({ problem }) => problem !== null)).toEqual([])
    expect(outcomes.length).toBeGreaterThan(400)
    expect(watch.drift).toEqual([])
    // It takes no pages from the web, so that word is one that nobody saw.
    const never = { kind: 'word', event: null, path: 'data[].data_source_type', value: 'website_crawl' }
    expect(watch.neverSeen('documents.list')).toContainEqual(never)
    expect([...watch.operations].filter((name) => !name.startsWith('adjacent.')).sort()).toEqual(EIGHTEEN)
  })
})

describe('a field table', () => {
  it('says which fields are missing, of another type, or null where they may not be', () => {
    expect(misfit({ id: 'uuid', error: 'string or null' }, { id: crypto.randomUUID(), error: null })).toBeNull()
    expect(misfit({ tokens: 'integer', name: 'string' }, { tokens: 1.5, name: null })).toBe(
      'tokens is no integer but 1.5; name is no string but null',
    )
    expect(misfit(Document, {})?.split('; ')).toHaveLength(20)
    expect(misfit(Segment, [])).toBe('is no record but []')
  })
})
