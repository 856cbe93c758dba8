import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { platformEntries } from '#contract/platformEntries.ts'
import { startBuiltinPlatform } from './builtinPlatform.testing.ts'
import { DriftWatch } from './driftWatch.ts'
import { runConformance } from './runConformance.ts'

const OPERATION_NAMES = [...platformEntries].flatMap(([name, { optional }]) => (optional ? [] : [name])).sort()

describe('the conformance suite', () => {
  let builtin: Awaited<ReturnType<typeof startBuiltinPlatform>>
  beforeAll(async () => {
    builtin = await startBuiltinPlatform()
  })
  afterAll(() => builtin.stop())

  it('finds nothing wrong with the built-in platform', async () => {
    const watch = new DriftWatch()
    const outcomes = await runConformance(
      builtin.platform,
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
