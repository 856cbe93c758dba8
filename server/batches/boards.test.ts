import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BoardRounds } from '#contract/console/boards.ts'
import type { AuditEvent } from '#contract/console/people.ts'
import type { SavedItem } from '#contract/console/savedItems.ts'
import { sendError } from '#support/platforms/scriptedPlatform.ts'
import { createPerson } from '../auth/people.testing.ts'
import { TestConsole } from '../app.testing.ts'
import { adoptSavedBoards } from './savedBoards.ts'

const testConsole = TestConsole.forFile()
type Person = Pick<Awaited<ReturnType<typeof createPerson>>, 'begin'>
const admin: Person = { begin: () => Promise.resolve(testConsole.cookie) }

/** Answers one run each; null while the platform answers at once. */
let pendingAnswers: (() => void)[] | null = null
const answerAll = () => {
  for (const go of pendingAnswers?.splice(0) ?? []) go()
}
afterAll(answerAll)
beforeEach(() => {
  pendingAnswers = null
  testConsole.platform.requests.length = 0
  testConsole.platform.script = (_seen, response) => {
    if (pendingAnswers) pendingAnswers.push(() => answer(response))
    else answer(response)
  }
})
const answer = (response: ServerResponse) =>
  sendError(response, 200, { event: 'message', message_id: randomUUID(), mode: 'chat', answer: 'a', metadata: {} })
const countSent = () => testConsole.platform.requests.length

async function send<T>(person: Person, method: string, path: string, body?: unknown, status = 200): Promise<T> {
  const response = await testConsole.fetch(method, path, body, { cookie: await person.begin() })
  const text = await response.text()
  expect([path, response.status, text]).toEqual([path, status, text])
  return JSON.parse(text) as T
}
const createBoard = (value: unknown = { cells: [] }, copy_of?: string) =>
  testConsole.json<SavedItem>('POST', '/api/saved-items', {
    kind: 'board',
    workspace: testConsole.workspace,
    name: 'Board',
    value,
    ...(copy_of && { copy_of }),
  })
const read = (board_id: string, person = admin) => send<BoardRounds>(person, 'GET', `/api/boards/${board_id}/rounds`)
const ask = (cell: string, kind: 'chat' | 'completion', rounds = 1, user = 'mira') => ({
  cell,
  key: testConsole.keys[kind],
  body: {
    ...(kind === 'chat' ? { query: `q of ${cell}`, inputs: {} } : { inputs: { query: `q of ${cell}` } }),
    user,
    response_mode: 'blocking',
  },
  workflow_id: null,
  rounds,
})
interface Options {
  mode?: 'append' | 'replace'
  pace?: 'one_by_one' | 'at_once'
  request_id?: string
  person?: Person
  status?: number
}
const add = (board_id: string, cells: object[], { person = admin, status, ...options }: Options = {}) => {
  const body = { request_id: randomUUID(), mode: 'append', pace: 'one_by_one', ...options, cells }
  return send<BoardRounds>(person, 'POST', `/api/boards/${board_id}/rounds`, body, status)
}
const sendAgain = (board_id: string, rounds: object[], { person = admin, status, ...options }: Options = {}) => {
  const body = { request_id: randomUUID(), pace: 'one_by_one', ...options, rounds }
  return send<BoardRounds>(person, 'POST', `/api/boards/${board_id}/rounds/send`, body, status)
}
const waitFor = (board_id: string, state: BoardRounds['state'], alsoAnswer = false) =>
  vi.waitFor(
    async () => {
      if (alsoAnswer) answerAll()
      const rounds = await read(board_id)
      expect([rounds.state, rounds.rounds.filter((round) => round.state === 'running')]).toEqual([state, []])
      return rounds
    },
    { interval: 20, timeout: 10_000 },
  )
const states = ({ rounds }: BoardRounds) => rounds.map(({ cell, state }) => `${cell} ${state}`)
const bodies = () => testConsole.platform.requests.map(({ body }) => JSON.parse(body) as Record<string, unknown>)

describe('rounds of a board', () => {
  it('are sent by the server, each with the key and the request of its cell, and stand in the ledger as its runs', async () => {
    const board = await createBoard()
    await add(board.id, [ask('a', 'chat', 2), ask('b', 'completion')], { pace: 'at_once' })
    const { rounds } = await waitFor(board.id, 'ended')
    expect(rounds.map(({ cell, state, key, problem }) => [cell, state, key, problem])).toEqual([
      ['a', 'succeeded', testConsole.keys.chat, null],
      ['a', 'succeeded', testConsole.keys.chat, null],
      ['b', 'succeeded', testConsole.keys.completion, null],
    ])
    expect(bodies().filter(({ query }) => query === 'q of a')).toEqual(
      Array(2).fill({
        query: 'q of a',
        inputs: {},
        user: 'mira',
        response_mode: 'blocking',
        auto_generate_name: false,
      }),
    )
    expect(await testConsole.json('GET', `/api/runs/${rounds[0]?.run}`)).toMatchObject({
      key: testConsole.keys.chat,
      origin: { kind: 'board', id: board.id },
    })
    expect((await testConsole.fetch('GET', `/api/batches/${board.id}`)).status).toBe(404)
    expect((await testConsole.fetch('GET', `/api/batches/${board.id}/rows`)).status).toBe(404)
    expect(JSON.stringify(await testConsole.list('/api/batches'))).not.toContain(board.id)
  })

  it('wait for the earlier ones of their cell, if they go one by one', async () => {
    pendingAnswers = []
    const board = await createBoard()
    await add(board.id, [ask('a', 'chat', 3), ask('b', 'completion', 2)])
    await vi.waitFor(() => expect(countSent()).toBe(2))
    expect(states(await read(board.id))).toEqual(['a running', 'a waiting', 'a waiting', 'b running', 'b waiting'])
    answerAll()
    await vi.waitFor(() => expect(countSent()).toBe(4))
    expect(states(await waitFor(board.id, 'ended', true))).toHaveLength(5)
    expect(countSent()).toBe(5)
  })

  it('are added once by a request that is repeated, and replace those of their cell alone', async () => {
    const board = await createBoard()
    const request_id = randomUUID()
    for (let time = 0; time < 2; time++) await add(board.id, [ask('a', 'chat', 2), ask('b', 'chat')], { request_id })
    const before = await waitFor(board.id, 'ended')
    expect(before.rounds).toHaveLength(3)
    await add(board.id, [ask('a', 'chat')], { mode: 'replace' })
    const after = await waitFor(board.id, 'ended')
    expect(after.rounds.map(({ cell }) => cell)).toEqual(['b', 'a'])
    expect(after.rounds[0]).toEqual(before.rounds[2])
    expect(countSent()).toBe(4)
    await add(board.id, [ask('a', 'chat', 10)], { status: 409 })
  })

  it('are refused where their operation does not take them', async () => {
    const board = await createBoard()
    const asked = ask('a', 'chat')
    for (const wrong of [
      { ...asked, body: { ...asked.body, query: '' } },
      { ...asked, body: { ...asked.body, query: 'a \0' } },
      { ...asked, key: testConsole.keys.knowledge },
      { ...asked, workflow_id: '..' },
    ])
      await add(board.id, [wrong], { status: 400 })
    await add(board.id, [{ ...asked, key: randomUUID() }], { status: 404 })
    await add(randomUUID(), [asked], { status: 404 })
    expect(await read(board.id)).toEqual({ state: 'ended', pause: null, problem: null, rounds: [] })
  })

  it('are paused and go on, and one alone is sent again in its place', async () => {
    pendingAnswers = []
    const board = await createBoard()
    await add(board.id, [ask('a', 'chat', 3)])
    await vi.waitFor(() => expect(countSent()).toBe(1))
    await send(admin, 'POST', `/api/boards/${board.id}/rounds/pause`)
    answerAll()
    const paused = await waitFor(board.id, 'paused')
    expect(states(paused)).toEqual(['a succeeded', 'a waiting', 'a waiting'])
    // The one that ended is sent once more, and those that wait stay where they are.
    const other = ask('a', 'chat').body
    await sendAgain(board.id, [{ number: 1, request: { body: { ...other, query: 'another' }, workflow_id: null } }])
    await vi.waitFor(() => expect(countSent()).toBe(2))
    answerAll()
    const again = await waitFor(board.id, 'paused')
    expect(states(again)).toEqual(states(paused))
    expect(again.rounds[0]?.run).not.toBe(paused.rounds[0]?.run)
    expect(bodies()[1]).toMatchObject({ query: 'another' })
    pendingAnswers = null
    await sendAgain(
      board.id,
      [2, 3].map((number) => ({ number, request: null })),
    )
    expect(states(await waitFor(board.id, 'ended'))).toEqual(Array(3).fill('a succeeded'))
    expect(countSent()).toBe(4)
    await sendAgain(board.id, [{ number: 9, request: null }], { status: 409 })
  })

  it('of a cell that goes are not sent, and those of a deleted board neither', async () => {
    pendingAnswers = []
    const board = await createBoard()
    await add(board.id, [ask('a', 'chat', 3), ask('b', 'completion', 2)])
    await vi.waitFor(() => expect(countSent()).toBe(2))
    await send(admin, 'POST', `/api/boards/${board.id}/rounds/remove`, { cells: ['a'] })
    answerAll()
    await vi.waitFor(() => expect(countSent()).toBe(3))
    expect(states(await read(board.id))).toEqual(['b succeeded', 'b running'])
    await testConsole.json('DELETE', `/api/saved-items/${board.id}`)
    answerAll()
    expect((await testConsole.fetch('GET', `/api/boards/${board.id}/rounds`)).status).toBe(404)
    expect(await testConsole.query('SELECT FROM batches WHERE id = $1', [board.id])).toEqual([])
    expect(countSent()).toBe(3)
  })

  it('that a platform refuses fail alone, and several that fail together are sent again by the server', async () => {
    let refused = 0
    testConsole.platform.script = ({ path }, response) => {
      if (path.endsWith('/completion-messages')) sendError(response, 401, { code: 'unauthorized', message: 'no' })
      else if (refused++ < 2) setTimeout(() => sendError(response, 500, { message: 'too many' }), 600)
      else answer(response)
    }
    const board = await createBoard()
    await add(board.id, [ask('a', 'chat', 2), ask('b', 'completion')], { pace: 'at_once' })
    const { rounds } = await waitFor(board.id, 'ended')
    expect(rounds.map(({ cell, state }) => `${cell} ${state}`)).toEqual(['a succeeded', 'a succeeded', 'b failed'])
    expect(refused).toBe(4)
  })

  it('are copied with their board once they have ended, and share its runs', async () => {
    const board = await createBoard()
    await add(board.id, [ask('a', 'chat', 2)])
    const { rounds } = await waitFor(board.id, 'ended')
    const copy = await createBoard({ cells: [] }, board.id)
    expect((await read(copy.id)).rounds).toEqual(rounds)
    await testConsole.json('DELETE', `/api/saved-items/${board.id}`)
    await add(copy.id, [ask('a', 'chat')])
    expect((await waitFor(copy.id, 'ended')).rounds.map(({ number }) => number)).toEqual([1, 2, 3])
  })
})

describe('people who may use some of the keys', () => {
  it('see their own rounds alone, pause all, and start none while others wait', async () => {
    const person = await createPerson(testConsole, 'operator', [[testConsole.workspace, testConsole.keys.chat]])
    const stranger = await createPerson(testConsole, 'operator', [[testConsole.workspace, testConsole.keys.workflow]])
    const board = await createBoard()
    // Whoever has single keys of a workspace sees the boards that they made.
    await testConsole.query('UPDATE saved_items SET person_id = $2 WHERE id = $1', [board.id, person.id])
    pendingAnswers = []
    await add(board.id, [ask('a', 'chat', 2), ask('b', 'completion', 2, 'secret user')])
    await vi.waitFor(() => expect(countSent()).toBe(2))
    const seen = await read(board.id, person)
    expect(seen.rounds[2]).toEqual({
      number: 3,
      cell: 'b',
      state: 'running',
      is_visible: false,
      key: null,
      run: null,
      has_request: true,
      problem: null,
    })
    expect(seen.rounds[0]).toMatchObject({ is_visible: true, run: expect.any(String) as string })
    await send(stranger, 'POST', `/api/boards/${board.id}/rounds/pause`, undefined, 404)
    await send(person, 'POST', `/api/boards/${board.id}/rounds/pause`)
    answerAll()
    await waitFor(board.id, 'paused')
    const refusal = { status: 403, person }
    await sendAgain(board.id, [{ number: 2, request: null }], refusal)
    await add(board.id, [ask('a', 'chat')], refusal)
    await add(board.id, [ask('b', 'completion')], { status: 404, person })
    expect(states(await read(board.id))).toEqual(['a succeeded', 'a waiting', 'b succeeded', 'b waiting'])
    expect(countSent()).toBe(2)
    const copy = await send<SavedItem>(person, 'POST', '/api/saved-items', {
      kind: 'board',
      workspace: testConsole.workspace,
      name: 'Copy',
      value: { cells: [] },
      copy_of: board.id,
    })
    expect(states(await read(copy.id))).toEqual(['a succeeded'])
    await send(admin, 'POST', `/api/boards/${board.id}/rounds/remove`, { cells: ['b'] })
    pendingAnswers = null
    await sendAgain(board.id, [{ number: 2, request: null }], { person })
    expect(states(await waitFor(board.id, 'ended'))).toEqual(['a succeeded', 'a succeeded'])
  })

  it('lose one of them: what they started pauses, and the audit log says so', async () => {
    const keys = [testConsole.keys.chat, testConsole.keys.completion]
    const person = await createPerson(
      testConsole,
      'operator',
      keys.map((key) => [testConsole.workspace, key] as const),
    )
    const board = await createBoard()
    await testConsole.query('UPDATE saved_items SET person_id = $2 WHERE id = $1', [board.id, person.id])
    pendingAnswers = []
    await add(board.id, [ask('a', 'chat', 2), ask('b', 'completion', 2)], { person })
    await vi.waitFor(() => expect(countSent()).toBe(2))
    await testConsole.json('PATCH', `/api/people/${person.id}`, {
      grants: [{ workspace: testConsole.workspace, key: testConsole.keys.chat }],
    })
    expect(await read(board.id)).toMatchObject({ state: 'paused', pause: 'no_access' })
    answerAll()
    expect(states(await waitFor(board.id, 'paused'))).toEqual(['a succeeded', 'a waiting', 'b succeeded', 'b waiting'])
    expect(countSent()).toBe(2)
    const [event] = await testConsole.list<AuditEvent>('/api/audit?action=batches.paused&limit=1')
    expect(event).toMatchObject({ about: person.id, detail: { batches: [board.id] } })
  })
})

it('boards of an earlier version keep their rounds: sent ones have ended, others wait until a person sends them', async () => {
  const source = await createBoard()
  await add(source.id, [ask('a', 'chat', 2)])
  const [first, second] = (await waitFor(source.id, 'ended')).rounds.map(({ run }) => run)
  const sent = countSent()
  const unsent = [randomUUID(), randomUUID()]
  const cells = [
    { id: 'a', key: testConsole.keys.chat, own: null, runs: [first, unsent[0]] },
    { id: 'b', key: null, own: null, runs: [second] },
    { id: 'c', key: testConsole.keys.completion, own: null, runs: [unsent[1], 'no id', unsent[1]] },
    { id: 'd', key: 'no key', runs: [randomUUID()] },
  ]
  const boards = await Promise.all([{ cells }, { cells: 'none' }, null].map((value) => createBoard(value)))
  for (const { id } of boards) await testConsole.query('DELETE FROM batches WHERE id = $1', [id])
  await Promise.all([adoptSavedBoards(testConsole.database), adoptSavedBoards(testConsole.database)])
  await adoptSavedBoards(testConsole.database)
  const [board] = boards.map(({ id }) => id)
  const adopted = await read(board ?? '')
  expect(adopted).toMatchObject({ state: 'paused', pause: 'not_started', problem: null })
  expect(adopted.rounds.map(({ cell, state, run, has_request }) => [cell, state, run, has_request])).toEqual([
    ['a', 'succeeded', first, false],
    ['a', 'waiting', null, false],
    ['c', 'waiting', null, false],
  ])
  expect(await read(boards[1]?.id ?? '')).toMatchObject({ state: 'ended', rounds: [] })
  await sendAgain(board ?? '', [{ number: 2, request: null }], { status: 409 })
  expect(countSent()).toBe(sent)
  const request = { body: ask('c', 'completion').body, workflow_id: null }
  await sendAgain(board ?? '', [{ number: 3, request }])
  expect(states(await waitFor(board ?? '', 'paused'))).toEqual(['a succeeded', 'a waiting', 'c succeeded'])
  expect(countSent()).toBe(sent + 1)
})
