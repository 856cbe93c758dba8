import { expect, test } from 'vitest'
import { emptyRun, type RunState } from '#domain/workflowRun/runState.ts'
import { foldRun } from '#domain/workflowRun/workflowEvents.ts'
import { runStreams, workflowFinished, workflowStarted } from '#domain/workflowRun/runStreams.testing.ts'
import { compareRunDetail } from './PlatformDetail.tsx'

const run = (runStreams.iteration ?? []).reduce<RunState>(foldRun, emptyRun)
const detail = { ...workflowFinished, inputs: JSON.stringify(workflowStarted.inputs), outputs: { answer: 'Yes.' } }
const differing = (detail: Parameters<typeof compareRunDetail>[1]) =>
  compareRunDetail(run, detail)
    .filter(({ differs }) => differs)
    .map(({ name }) => name)

test('a run that is told twice in the same way has no difference, JSON text or not', () => {
  expect(differing(detail)).toEqual([])
  expect(differing({ ...detail, outputs: '{"answer":"Yes."}', error: '', elapsed_time: 1.2502 })).toEqual([])
})

test('what is told otherwise, or by one of them alone, differs', () => {
  expect(differing({ ...detail, status: 'failed', outputs: null, elapsed_time: 1.3 })).toEqual([
    'status',
    'elapsed_time',
    'outputs',
  ])
})
