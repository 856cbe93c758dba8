import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { emptyAnswer } from '#domain/answer/answerState.ts'
import { emptyRun } from '#domain/workflowRun/runState.ts'
import { makeRun } from '../../../client/runRow.testing.ts'
import { makeSession } from '../../../client/session.testing.ts'
import { collectRunFile } from './exportRunFile.ts'
import { serveApi } from '../../../client/consoleApi.testing.ts'

const source = { at: '2026-11-21T10:00:01.000Z', elsewhere: false, because: null }
const reply = { workflow_run_id: 'run-1', data: { status: 'succeeded' } }
let answer: unknown
serveApi(
  http.get('*/api/session', () => HttpResponse.json(makeSession('admin'))),
  http.get('*/api/runs/:id', () => HttpResponse.json(makeRun({ answer }))),
  http.get('*/api/runs/:id/frames', () =>
    HttpResponse.json({ data: [{ seq: 1, at: 1, bytes: 1, block: 'event: ping' }], total: 1 }),
  ),
  http.get('*/api/calls/:id', () => HttpResponse.json({ ...makeRun(), note: null, http_status: 200, reply })),
)

test.each([
  ['a workflow', { ...emptyRun, told: source }, reply],
  ['a chatflow', { ...emptyAnswer, run: { ...emptyRun, told: source } }, reply],
  ['a chatflow that ended by itself', emptyAnswer, null],
])('the file of %s has the platform’s reply where that has completed the stream', async (_, given, expected) => {
  answer = given
  expect((await collectRunFile(makeRun().id, null)).reply).toEqual(expected)
})
