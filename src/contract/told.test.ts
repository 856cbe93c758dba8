import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyRun, foldRun, type RunState } from './run.ts'
import { runStreams, workflowFinished } from './run-streams.testing.ts'
import { anyEvents } from './events.testing.ts'
import { expectValid, ValidRun } from './states.testing.ts'
import { isBlank, parsed, tellRun, tellsEnd } from './told.ts'

const told = { at: '2026-11-21T18:00:00.000Z', elsewhere: false, because: 'The line broke.' }
const cut = (runStreams.workflow ?? []).slice(0, -1).reduce<RunState>(foldRun, emptyRun)

test('a run whose stream had no end ends as the platform says, and keeps what its stream said', () => {
  const detail = { ...workflowFinished, inputs: '{"topic":"tea"}', outputs: '{"text":"Green."}' }
  const run = tellRun(cut, detail, told)
  expect(run).toMatchObject({ status: 'succeeded', ended: true, outputs: { text: 'Green.' }, told, text: 'Green.' })
  expect([run.nodes, run.inputs]).toEqual([cut.nodes, cut.inputs])
})

test('a run that goes on has a word but no end, and one that is paused says so', () => {
  const running = tellRun(emptyRun, { id: 'r-1', status: 'running', inputs: '{"topic":"tea"}' }, told)
  expect(running).toMatchObject({ workflow_run_id: 'r-1', status: 'running', ended: false, inputs: { topic: 'tea' } })
  expect(tellRun(cut, { id: 'r-1', status: 'paused' }, told)).toMatchObject({ ended: true, paused: { reasons: null } })
  expect(tellRun(cut, { status: 'scheduled' }, told)).toMatchObject({ status: 'scheduled', ended: false })
})

test('a record with nothing in it is a run that the platform does not know', () => {
  expect(isBlank({ id: null, status: null, inputs: '{}', outputs: {} })).toBe(true)
  expect(isBlank({})).toBe(true)
  expect(isBlank(workflowFinished)).toBe(false)
})

test('only text that is a JSON object or list is read as that', () => {
  expect(parsed('[1]')).toEqual([1])
  expect(parsed('{"a"')).toBe('{"a"')
  expect(parsed('12')).toBe('12')
  expect(parsed('')).toBeNull()
})

test('whatever operation 12 says of whatever came, the state is valid, and ended if it says an end', () => {
  fc.assert(
    fc.property(anyEvents, fc.anything(), (events, detail) => {
      const run = tellRun(events.reduce<RunState>(foldRun, emptyRun), detail, told)
      expectValid(ValidRun, run)
      if (tellsEnd(detail)) expect(run.ended).toBe(true)
    }),
  )
  fc.assert(
    fc.property(anyEvents, fc.constantFrom('succeeded', 'failed', 'paused', 'running', 'odd'), (events, status) => {
      const run = tellRun(events.reduce<RunState>(foldRun, emptyRun), { status, outputs: '[1' }, told)
      expectValid(ValidRun, run)
    }),
  )
})
