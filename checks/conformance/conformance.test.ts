import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBuiltinPlatform } from './builtinPlatform.testing.ts'
import { DriftWatch } from './driftWatch.ts'
import { Document, findMisfit, Segment } from './fieldTables.ts'
import { runShortConformance } from './runConformance.ts'

describe('the conformance suite in its short form', () => {
  let builtin: Awaited<ReturnType<typeof startBuiltinPlatform>>
  beforeAll(async () => {
    builtin = await startBuiltinPlatform()
  })
  afterAll(() => builtin.stop())

  it('finds nothing wrong with documents, workflows and chats of the built-in platform', async () => {
    const watch = new DriftWatch()
    const outcomes = await runShortConformance(builtin.platform, (request, reply) => watch.observe(request, reply))
    expect(outcomes.filter(({ problem }) => problem !== null)).toEqual([])
    expect(outcomes.length).toBeGreaterThan(100)
    expect(watch.drift).toEqual([])
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
