import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { Run } from '#contract/console/runs.ts'
import { emptyAnswer } from '#domain/answer/answerState.ts'
import { emptyRun } from '#domain/workflowRun/runState.ts'
import { makeRun } from '../../../client/runRow.testing.ts'
import { makeSession } from '../../../client/session.testing.ts'
import { toTurn, type Turn } from '../turn.ts'
import { RunResult } from './RunResult.tsx'
import { renderPage } from '../../../client/page.testing.tsx'
import { serveApi } from '../../../client/consoleApi.testing.ts'

let isFailing = true
const run = makeRun({
  frames: 1,
  request: { query: 'What gap?', user: 'mira', inputs: {} },
  answer: { ...emptyAnswer, text: 'Keep it closed.', ended: true },
})
const frame = { seq: 1, at: 600_000, bytes: 9, block: 'data: {"event":"message","answer":"Keep it closed."}' }
serveApi(
  http.get('*/api/session', () => HttpResponse.json(makeSession('admin'))),
  http.get('*/api/runs/:id/lineage', () => HttpResponse.json({ data: [] })),
  http.get('*/api/runs/:id/frames', () =>
    isFailing
      ? HttpResponse.json({ kind: 'fault', status: 500, message: 'The database is away.' }, { status: 500 })
      : HttpResponse.json({ data: [frame], total: 1 }),
  ),
)

const draw = (row: Run) =>
  renderPage(
    <RunResult
      turn={toTurn(row, null) as Turn}
      run={row}
      app={null}
      workspace={null}
      parent={null}
      source={null}
      onInspect={() => undefined}
      replayPath="/"
    />,
  )

test('a workflow without outputs has no panel for them', async () => {
  const show = (outputs: unknown) => {
    const answer = { ...emptyRun, status: 'succeeded', outputs, ended: true }
    const row = makeRun({ entry: 'workflows.run', status: 'succeeded', request: { inputs: {}, user: 'mira' }, answer })
    return draw(row)
  }
  const { unmount } = show({ n: 1 })
  expect(await screen.findAllByRole('region', { name: 'Outputs' })).not.toEqual([])
  unmount()
  show({})
  expect(await screen.findByRole('article', { name: 'Answer' })).toBeDefined()
  expect(screen.queryAllByRole('region', { name: 'Outputs' })).toEqual([])
})

test('a recording that cannot be loaded says so beside the answer, and plays after a retry', async () => {
  draw(run)
  expect(await screen.findByText('Keep it closed.')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: '1×' }))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('Could not load the frames')
  expect(screen.getByText('Keep it closed.')).toBeDefined()

  isFailing = false
  await userEvent.click(within(alert).getByRole('button', { name: 'Retry' }))
  // The recording has its first word after ten minutes.
  await expect.poll(() => screen.queryByText('Keep it closed.')).toBeNull()
  expect(screen.queryByRole('alert')).toBeNull()
})
