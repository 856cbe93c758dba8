import { expect, test } from 'vitest'
import { emptyRun, foldRun, type RunState } from '#contract/run.ts'
import { runStreams, workflowFinished, workflowStarted } from '#contract/run-streams.testing.ts'
import { factsOf } from './detail.ts'

const run = (runStreams.iteration ?? []).reduce<RunState>(foldRun, emptyRun)
const told = { ...workflowFinished, inputs: JSON.stringify(workflowStarted.inputs), outputs: { answer: 'Yes.' } }
const differing = (detail: Parameters<typeof factsOf>[1]) =>
  factsOf(run, detail)
    .filter(({ differs }) => differs)
    .map(({ name }) => name)

test('a run that is told twice in the same way has no difference, JSON text or not', () => {
  expect(differing(told)).toEqual([])
  expect(differing({ ...told, outputs: '{"answer":"Yes."}', error: '', elapsed_time: 1.2502 })).toEqual([])
})

test('what is told otherwise, or by one of them alone, differs', () => {
  expect(differing({ ...told, status: 'failed', outputs: null, elapsed_time: 1.3 })).toEqual([
    'status',
    'elapsed_time',
    'outputs',
  ])
})
