import { expect, test } from 'vitest'
import { failedAt, kindOf } from './failure.ts'
import { emptyRun, foldRun, type RunState } from './run.ts'
import { runStreams } from './run-streams.testing.ts'

test('a run failed at its innermost failed node, or at none', () => {
  const run = (runStreams['failed workflow'] ?? []).reduce<RunState>(foldRun, emptyRun)
  expect(failedAt(run, '')).toMatchObject({ node: { title: 'Answer with sources' }, error: 'No such file.' })
  const [inner, outer] = [run.nodes[0]!, { ...run.nodes[0]!, id: 'o', kind: 'iteration' as const, error: 'A round.' }]
  expect(failedAt({ ...run, nodes: [inner, outer] }, '').node).toBe(inner)
  expect(failedAt({ ...emptyRun, error: 'Too long.' }, 'else')).toEqual({ node: null, error: 'Too long.' })
  expect(failedAt(emptyRun, 'The line broke.').error).toBe('The line broke.')
})

test('figures, ids and quoted values make no other failure, other words do', () => {
  expect(kindOf('prompt is 132418 tokens; limit is 128,000 ("acme/large")')).toBe(
    kindOf('Prompt is 7 tokens; limit is 9.5 ("other")'),
  )
  expect(kindOf('run 0190b6a0-1111-7abc-8def-0123456789ab is gone')).toBe(
    kindOf('run 99999999-9999-4999-8999-999999999999 is gone'),
  )
  expect(kindOf('Rate limit.')).not.toBe(kindOf('No such file.'))
})
