import { act, renderHook, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { afterEach, expect, test, vi } from 'vitest'
import { runStore } from '../../client/useRun.ts'
import { serveApi } from '../../client/consoleApi.testing.ts'
import { makePageWrapper, renderPage } from '../../client/page.testing.tsx'
import { makeKey, makeWorkspace } from '../../client/session.testing.ts'
import { EMPTY_TABLE_DRAFT } from '../annotations/tableImport/useImportTable.ts'
import { useNewBatch } from '../batches/NewBatchPage.tsx'
import { useTurnActions } from '../playground/chat/useTurnActions.ts'
import { ResponseModeControl } from '../runs/inputs/ResponseModeControl.tsx'
import { useRunReplay } from '../runs/replay/RunReplay.tsx'
import { sampleTurn } from '../runs/turn.testing.ts'
import { emptyBoard, emptyBoardInput } from './board.ts'
import { toAppForm } from './request/cellRequest.ts'
import type { BoardRoundsView } from './rounds/useBoardRounds.ts'
import { useBoardRuns } from './rounds/useBoardRuns.ts'

serveApi(http.get('*/api/keys/*/parameters', () => HttpResponse.json({ user_input_form: [] })))
afterEach(() => void vi.restoreAllMocks())

const agent = { ...makeKey('chat', 'Agent'), mode: 'agent' }
const legacyAgent = { ...makeKey('chat', 'Older agent'), mode: 'agent-chat' }
const chat = { ...makeKey('chat', 'Chat'), mode: 'chat' }
const workspace = makeWorkspace({ keys: [agent, legacyAgent, chat] })
const wrapper = makePageWrapper()
const REASON = 'Agent apps only stream. They refuse blocking requests.'

test.each([
  ['agents', [agent, legacyAgent], true, true],
  ['an agent among other apps', [agent, chat], false, true],
  ['a chat', [chat], false, false],
])('the response mode of %s', (_, apps, isOff, hasReason) => {
  renderPage(<ResponseModeControl value="blocking" onChange={() => undefined} apps={apps} />)
  expect(screen.getByRole('radio', { name: 'blocking' })).toHaveProperty('disabled', isOff)
  expect(screen.getByRole('radio', { name: 'blocking' })).toHaveProperty('checked', !isOff)
  expect(screen.queryAllByText(REASON)).toHaveLength(hasReason ? 1 : 0)
})

test('a question of the chat that was blocking, and is sent again to an agent, is streamed', () => {
  const start = vi.spyOn(runStore, 'start').mockReturnValue('run')
  const noop = () => undefined
  const send = (app: typeof agent) => {
    const { result } = renderHook(
      () =>
        useTurnActions({
          app,
          route: { conversation: null, run: null, source: null, tab: null, branches: [] } as never,
          setRoute: noop,
          changeDraft: noop,
          suggest: noop,
          openInspector: noop,
          focusedConversation: null,
          onConversationNamed: noop,
        }),
      { wrapper },
    )
    const { question } = sampleTurn()
    result.current.actions.onRerun('earlier', { ...question, response_mode: 'blocking' })
    return start.mock.lastCall?.[1].body
  }
  expect(send(agent)).toMatchObject({ response_mode: 'streaming' })
  expect(send(chat)).toMatchObject({ response_mode: 'blocking' })
})

test('a batch and a replay of an agent are streamed, whatever was chosen', async () => {
  const batch = renderHook(
    () => useNewBatch({ workspace, app: legacyAgent, draft: EMPTY_TABLE_DRAFT, onDraft: () => undefined }),
    {
      wrapper,
    },
  )
  act(() => batch.result.current.setMode('blocking'))
  expect(batch.result.current.response_mode).toBe('streaming')
  const turn = sampleTurn()
  turn.question = { ...turn.question, response_mode: 'blocking' }
  const replay = renderHook(() => useRunReplay({ run_id: 'run', turn, app: agent, workspace: 'w' }), { wrapper })
  await waitFor(() => expect(replay.result.current.mode).toBe('streaming'))
})

test('a blocking board asks its agents in a stream, and the other apps as chosen', async () => {
  const create = vi.fn<BoardRoundsView['create']>()
  const cells = [agent, chat].map((key, index) => ({
    cell: { id: `cell ${index}`, key: key.id, own: null, runs: [] },
    app: { key, workspace, form: toAppForm(key, undefined), isLoading: false, problem: null },
    entry: 'chat.send' as const,
    rounds: [],
    turns: [],
  }))
  const board = {
    ...emptyBoard,
    cells: cells.map(({ cell }) => cell),
    asked: { ...emptyBoardInput, query: 'Why?' },
    response_mode: 'blocking' as const,
  }
  const savedBoard = { board, edit: () => undefined, save: () => Promise.resolve(true) } as never
  const { result } = renderHook(() => useBoardRuns(savedBoard, { create } as never, cells, 'mira'), { wrapper })
  await act(() => result.current.run())
  expect(create.mock.lastCall?.[0].cells.map(({ body }) => body.response_mode)).toEqual(['streaming', 'blocking'])
})
