import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { Call } from '#contract/console/calls.ts'
import type { Run } from '#contract/console/runs.ts'
import type { SimilarAnnotation, ReviewReason } from '#contract/console/review.ts'
import { sendError, type RecordedRequest } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'

const testConsole = TestConsole.forFile()

const annotate = async (
  question: string,
  answer: string,
  key = testConsole.keys.chat,
  headers = {},
): Promise<string> => {
  const id = randomUUID()
  testConsole.platform.script = (_seen, response) =>
    sendError(response, 201, { id, question, answer, hit_count: 0, created_at: 1_795_000_000 })
  const path = `/api/keys/${key}/apps/annotations`
  expect((await testConsole.fetch('POST', path, { question, answer }, headers)).status).toBe(201)
  return id
}
const readSimilar = (given: object, key = testConsole.keys.chat) =>
  testConsole.json<{ data: SimilarAnnotation[]; seen: number }>('POST', '/api/annotations/similar', { key, ...given })

describe('annotations that are like a new one', () => {
  it('are told apart: the same, the same with another answer, a near one; those of another app are not looked at', async () => {
    const hours = await annotate('When does the shop open on Monday?', 'At nine in the morning.')
    const sunday = await annotate('When does the shop open on Sunday?', 'It stays closed.')
    await annotate('How do I return a parcel?', 'With the label in the box.')
    const chinese = await annotate('退货需要多长时间才能收到退款', '七天。')
    await annotate('When does the shop open on Monday?', 'At ten.', testConsole.keys.completion)

    const same = await readSimilar({
      question: ' When does the shop\u200b open on Monday?',
      answer: 'At nine in the morning.',
    })
    expect(same.seen).toBe(4)
    expect(same.data[0]).toMatchObject({ id: hours, likeness: 'duplicate', answer_score: 1 })
    expect(same.data.map(({ id }) => id)).toContain(sunday)
    expect(same.data.every(({ question }) => !question.includes('parcel'))).toBe(true)

    const otherCase = await readSimilar({
      question: 'when does the shop open on monday',
      answer: 'At nine in the morning.',
    })
    expect(otherCase.data[0]).toMatchObject({ id: hours, likeness: 'near', question_score: 1, answer_score: 1 })

    const otherwise = await readSimilar({
      question: 'When does the shop open on Monday?',
      answer: 'Only by appointment.',
    })
    expect(otherwise.data[0]).toMatchObject({ id: hours, likeness: 'contradiction', question_score: 1 })

    const near = await readSimilar({ question: 'When does a shop open in winter?' })
    expect(near.data[0]).toMatchObject({ likeness: 'near', answer_score: null })

    expect((await readSimilar({ question: '退货需要多长时间才能收到退款', answer: '三天。' })).data[0]).toMatchObject({
      id: chinese,
      likeness: 'contradiction',
    })
    expect((await readSimilar({ question: '退货需要多长时间能收到退款' })).data[0]).toMatchObject({
      id: chinese,
      likeness: 'near',
    })
    expect((await readSimilar({ question: 'When does the shop open on Monday?', not: hours })).data[0]?.id).toBe(sunday)
    expect(await readSimilar({ question: ' ' })).toEqual({ data: [], seen: 4 })
  })

  it('are never called the same for their letters alone; other numbers weigh more than the words beside them', async () => {
    const key = testConsole.keys.completion
    const five = await annotate('How do I reset sensor 5 of the gateway?', 'Hold key 45 for 45 seconds.', key)
    const ask = { question: 'How do I reset sensor 7 of the gateway?', answer: 'Hold key 42 for 42 seconds.' }
    const { data } = await readSimilar(ask, key)
    expect(data[0]).toMatchObject({ id: five, likeness: 'near', same_numbers: false })
    expect(data[0]?.question_score).toBeLessThan(0.5)
    const seven = await annotate('How could I reset the sensor 7 of a gateway?', 'Ask support.', key)
    const ranked = await readSimilar(ask, key)
    expect(ranked.data.map(({ id }) => id)).toEqual([seven, five])
    expect(ranked.data[0]).toMatchObject({ likeness: 'near', same_numbers: true })
  })

  it('are found for a question of 100,000 characters, and for one that no column can hold', async () => {
    const long = 'a long question with many words '.repeat(3_125)
    expect(await readSimilar({ question: long, answer: long })).toMatchObject({ seen: 4 })
    expect(await readSimilar({ question: 'When\u0000 does the shop open?' })).toMatchObject({ seen: 4 })
    const tooLong = { key: testConsole.keys.chat, question: `${long}!` }
    expect((await testConsole.fetch('POST', '/api/annotations/similar', tooLong)).status).toBe(400)
  })
})

it('an annotation keeps the run that it was made from, and the reason', async () => {
  const run_id = randomUUID()
  const id = await annotate('Which run?', 'This one.', testConsole.keys.chat, {
    'run-parent': run_id,
    note: 'from%20a%20run',
  })
  const data = await testConsole.list<Call>(`/api/calls?resource=${run_id}`)
  expect(data).toMatchObject([{ entry: 'annotations.create', parent: run_id, note: 'from a run', title: 'Which run?' }])
  expect((await testConsole.list<Call>(`/api/calls?resource=${id}`))[0]?.parent).toBe(run_id)
})

describe('the turns to review', () => {
  type Reviewed = { data: { run: Run; reasons: ReviewReason[] }[]; total: number; looked: number }
  const review = (reason = '') =>
    testConsole.json<Reviewed>('GET', `/api/review?key=${testConsole.keys.completion}${reason}`)
  const ask = async (answer: string | null) => {
    const run_id = randomUUID()
    const message_id = randomUUID()
    testConsole.platform.script = (_seen: RecordedRequest, response: ServerResponse) =>
      answer === null
        ? sendError(response, 400, { code: 'invalid_param', message: 'no' })
        : sendError(response, 200, { event: 'message', message_id, mode: 'completion', answer, metadata: {} })
    const body = { inputs: { text: 'x' }, user: 'tester', response_mode: 'blocking' }
    await testConsole.fetch('POST', `/api/keys/${testConsole.keys.completion}/completion-messages`, body, {
      'run-id': run_id,
    })
    return { run_id, message_id }
  }
  const rate = async (message_id: string, rating: string | null) => {
    testConsole.platform.script = (_seen, response) => sendError(response, 200, { result: 'success' })
    const path = `/api/keys/${testConsole.keys.completion}/messages/${message_id}/feedbacks`
    const body = { rating, user: 'tester', content: 'says "rating":"dislike"' }
    expect((await testConsole.fetch('POST', path, body)).status).toBe(200)
  }
  const idsOf = ({ data }: Reviewed) => data.map(({ run, reasons }) => [run.id, ...reasons])

  it('are those rated down, failed and without an answer, until they are marked or annotated', async () => {
    const good = await ask('Good.')
    const bad = await ask('Bad.')
    const empty = await ask('')
    const failed = await ask(null)
    await rate(good.message_id, 'dislike')
    await rate(good.message_id, 'like')
    await rate(bad.message_id, 'like')
    await rate(bad.message_id, 'dislike')
    expect(idsOf(await review())).toEqual([
      [failed.run_id, 'failed'],
      [empty.run_id, 'unanswered'],
      [bad.run_id, 'low_rated'],
    ])
    expect(idsOf(await review('&reason=failed'))).toEqual([[failed.run_id, 'failed']])
    expect(await review()).toMatchObject({ total: 3, looked: 4 })
    await testConsole.json('POST', '/api/saved-items', {
      kind: 'mark',
      workspace: testConsole.workspace,
      about: failed.run_id,
      name: 'reviewed',
      value: null,
    })
    await annotate('x', 'Better.', testConsole.keys.completion, { 'run-parent': bad.run_id })
    expect(idsOf(await review())).toEqual([[empty.run_id, 'unanswered']])
    expect(await testConsole.json('GET', `/api/review?key=${testConsole.keys.chat}`)).toEqual({
      data: [],
      total: 0,
      looked: 0,
    })
  })

  it('are not taken out of the queue by an annotation in another workspace', async () => {
    const failed = await ask(null)
    const body = { name: 'Other', base_url: testConsole.platform.url }
    const other = await testConsole.json<{ id: string }>('POST', '/api/workspaces', body)
    const path = `/api/workspaces/${other.id}/keys`
    const key = await testConsole.json<{ id: string }>('POST', path, {
      kind: 'completion',
      label: 'c',
      key: 'other-key',
    })
    await annotate('x', 'Better.', key.id, { 'run-parent': failed.run_id })
    expect(idsOf(await review())).toContainEqual([failed.run_id, 'failed'])
  })

  it('are found by their message, with the rating that was last given through this console', async () => {
    const liked = await ask('Good.')
    const removed = await ask('Bad.')
    await rate(liked.message_id, 'dislike')
    await rate(liked.message_id, 'like')
    await rate(removed.message_id, 'dislike')
    await rate(removed.message_id, null)
    const toPath = (key: string, ids: string[]) =>
      `/api/review/messages?${new URLSearchParams([['key', key], ...ids.map((id) => ['message_ids', id])])}`
    const find = (key: string, ids: string[]) =>
      testConsole.json<{ data: { message_id: string; run: Run | null; rating: string | null }[] }>(
        'GET',
        toPath(key, ids),
      )
    const ids = [liked.message_id, removed.message_id, randomUUID(), 'a\u0000b']
    const { data } = await find(testConsole.keys.completion, ids)
    expect(data.map(({ message_id, run, rating }) => [message_id, run?.id, rating])).toEqual([
      [liked.message_id, liked.run_id, 'like'],
      [removed.message_id, removed.run_id, null],
    ])
    expect((await find(testConsole.keys.completion, [liked.message_id])).data).toEqual([data[0]])
    expect(await find(testConsole.keys.chat, ids)).toEqual({ data: [] })
    const many = Array.from({ length: 101 }, () => randomUUID())
    const refusal = await testConsole.fetch('GET', toPath(testConsole.keys.chat, many))
    expect(refusal.status).toBe(400)
    expect(await refusal.text()).toContain('message_ids')
  })
})
