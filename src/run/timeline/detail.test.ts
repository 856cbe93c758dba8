import { expect, test } from 'vitest'
import { emptyRun, foldRun, type RunState } from '#contract/run.ts'
import { runStreams, workflowFinished, workflowStarted } from '#contract/run-streams.testing.ts'
import { factsOf, isBlank, parsed } from './detail.ts'

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

test('a record with nothing in it is a run that the platform does not know', () => {
  expect(isBlank({ id: null, status: null, inputs: '{}', outputs: {} })).toBe(true)
  expect(isBlank(told)).toBe(false)
})

test('only text that is a JSON object or list is read as that', () => {
  expect(parsed('[1]')).toEqual([1])
  expect(parsed('{"a"')).toBe('{"a"')
  expect(parsed('12')).toBe('12')
  expect(parsed('')).toBeNull()
})
