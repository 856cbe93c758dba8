import { expect, test } from 'vitest'
import { locateFailure, toFailureSignature } from './runHistory.ts'
import { emptyRun, type RunState } from '#domain/workflowRun/runState.ts'
import { foldRun } from '#domain/workflowRun/workflowEvents.ts'
import { runStreams } from '#domain/workflowRun/runStreams.testing.ts'

test('a run failed at its innermost failed node, or at none', () => {
  const run = (runStreams['failed workflow'] ?? []).reduce<RunState>(foldRun, emptyRun)
  expect(locateFailure(run, '')).toMatchObject({ node: { title: 'Answer with sources' }, error: 'No such file.' })
  const [inner, outer] = [run.nodes[0]!, { ...run.nodes[0]!, id: 'o', kind: 'iteration' as const, error: 'A round.' }]
  expect(locateFailure({ ...run, nodes: [inner, outer] }, '').node).toBe(inner)
  expect(locateFailure({ ...emptyRun, error: 'Too long.' }, 'else')).toEqual({ node: null, error: 'Too long.' })
  expect(locateFailure(emptyRun, 'The connection broke.').error).toBe('The connection broke.')
})

test('figures, ids and quoted values make no other failure, other words do', () => {
  expect(toFailureSignature('prompt is 132418 tokens; limit is 128,000 ("acme/large")')).toBe(
    toFailureSignature('Prompt is 7 tokens; limit is 9.5 ("other")'),
  )
  expect(toFailureSignature('run 0190b6a0-1111-7abc-8def-0123456789ab is gone')).toBe(
    toFailureSignature('run 99999999-9999-4999-8999-999999999999 is gone'),
  )
  expect(toFailureSignature('Rate limit.')).not.toBe(toFailureSignature('No such file.'))
})
