import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyRun, type RunState } from './runState.ts'
import { foldRun } from './workflowEvents.ts'
import { runStreams, workflowFinished } from './runStreams.testing.ts'
import { anyEvents } from '../stream/arbitraryEvents.testing.ts'
import { expectValid, ValidRun } from '../stream/foldedStates.testing.ts'
import { isEmptyDetail, parseJsonText, applyRunDetail, isFinalDetail } from './runDetail.ts'

const source = { at: '2026-11-21T18:00:00.000Z', elsewhere: false, because: 'The connection broke.' }
const cut = (runStreams.workflow ?? []).slice(0, -1).reduce<RunState>(foldRun, emptyRun)

test('a run whose stream had no end ends as the platform says, and keeps what its stream said', () => {
  const detail = { ...workflowFinished, inputs: '{"topic":"tea"}', outputs: '{"text":"Green."}' }
  const run = applyRunDetail(cut, detail, source)
  expect(run).toMatchObject({
    status: 'succeeded',
    ended: true,
    outputs: { text: 'Green.' },
    told: source,
    text: 'Green.',
  })
  expect([run.nodes, run.inputs]).toEqual([cut.nodes, cut.inputs])
})

test('a run that goes on has a word but no end, and one that is paused says so', () => {
  const running = applyRunDetail(emptyRun, { id: 'r-1', status: 'running', inputs: '{"topic":"tea"}' }, source)
  expect(running).toMatchObject({ workflow_run_id: 'r-1', status: 'running', ended: false, inputs: { topic: 'tea' } })
  expect(applyRunDetail(cut, { id: 'r-1', status: 'paused' }, source)).toMatchObject({
    ended: true,
    paused: { reasons: null },
  })
  expect(applyRunDetail(cut, { status: 'scheduled' }, source)).toMatchObject({ status: 'scheduled', ended: false })
})

test('a record with nothing in it is a run that the platform does not know', () => {
  expect(isEmptyDetail({ id: null, status: null, inputs: '{}', outputs: {} })).toBe(true)
  expect(isEmptyDetail({})).toBe(true)
  expect(isEmptyDetail(workflowFinished)).toBe(false)
})

test('only text that is a JSON object or list is read as that', () => {
  expect(parseJsonText('[1]')).toEqual([1])
  expect(parseJsonText('{"a"')).toBe('{"a"')
  expect(parseJsonText('12')).toBe('12')
  expect(parseJsonText('')).toBeNull()
})

test('whatever operation 12 says of whatever came, the state is valid, and ended if it says an end', () => {
  fc.assert(
    fc.property(anyEvents, fc.anything(), (events, detail) => {
      const run = applyRunDetail(events.reduce<RunState>(foldRun, emptyRun), detail, source)
      expectValid(ValidRun, run)
      if (isFinalDetail(detail)) expect(run.ended).toBe(true)
    }),
  )
  fc.assert(
    fc.property(anyEvents, fc.constantFrom('succeeded', 'failed', 'paused', 'running', 'odd'), (events, status) => {
      const run = applyRunDetail(events.reduce<RunState>(foldRun, emptyRun), { status, outputs: '[1' }, source)
      expectValid(ValidRun, run)
    }),
  )
})
