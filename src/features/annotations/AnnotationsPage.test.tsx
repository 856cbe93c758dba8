import { fireEvent, type RenderResult, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { makeCall } from '../../client/runRow.testing.ts'
import { makeKey, makeSession, makeWorkspace } from '../../client/session.testing.ts'
import { AnnotationsPage } from './AnnotationsPage.tsx'
import { renderPage } from '../../client/page.testing.tsx'
import { serveApi, toPage } from '../../client/consoleApi.testing.ts'

const WORKSPACE = '5cdff60a-06a3-4c44-96ab-b4f1e3e8d25e'
const APP = '6b0f7f4e-2a55-4a0e-9b7c-0d8d1f5f7a11'
const at = '2026-11-21T12:00:00.000Z'
const ALL = ['listAnnotations', 'updateAnnotation', 'deleteAnnotation', 'annotationJob']

const state = {
  offers: ALL,
  rows: [{ id: 'one', question: 'When does it open?', answer: 'At nine.', hit_count: 0, created_at: 1_795_000_000 }],
  sent: [] as { path: string; body: unknown; parent: string | null }[],
}
const take = async (request: Request) => {
  const body: unknown = await request.json()
  state.sent.push({ path: new URL(request.url).pathname, body, parent: request.headers.get('run-parent') })
  return body as { question: string; answer: string }
}
const server = serveApi(
  http.get('*/api/session', () => HttpResponse.json(makeSession('admin'))),
  http.get('*/api/workspaces', () => {
    const key = { ...makeKey('chat', 'Front desk', state.offers), id: APP }
    return HttpResponse.json({ data: [makeWorkspace({ id: WORKSPACE, keys: [key] })], total: 1 })
  }),
  http.get('*/api/keys/:key/apps/annotations', () => HttpResponse.json(toPage(state.rows))),
  http.post('*/api/keys/:key/apps/annotations', async ({ request }) =>
    HttpResponse.json(
      { id: 'new', ...(await take(request)), hit_count: 0, created_at: 1_795_000_000 },
      { status: 201 },
    ),
  ),
  http.post('*/api/keys/:key/apps/annotation-reply/:action', async ({ request }) => {
    await take(request)
    return HttpResponse.json({ job_id: 'job-0001', job_status: 'waiting' })
  }),
  http.get('*/api/keys/:key/apps/annotation-reply/:action/status/:job', ({ params }) =>
    HttpResponse.json({ job_id: params.job, job_status: 'waiting' }),
  ),
  http.get('*/api/keys/:key/parameters', () => HttpResponse.json({ annotation_reply: { enabled: true } })),
  http.get('*/api/resources', () =>
    HttpResponse.json(
      toPage(
        state.rows.map(({ id, ...record }) => ({
          kind: 'annotation',
          id,
          workspace: WORKSPACE,
          label: record.question,
          parent: APP,
          first_seen: at,
          last_seen: at,
          payload: { id, ...record },
        })),
      ),
    ),
  ),
  http.get('*/api/calls', () => HttpResponse.json({ data: [], total: null, total_capped: false, next: null })),
  http.get('*/api/review', () => HttpResponse.json({ data: [], total: 0, looked: 12 })),
  http.post('*/api/annotations/similar', async ({ request }) => {
    const { question } = (await request.json()) as { question: string }
    const similar = {
      id: 'one',
      question: 'When does it open?',
      answer: 'At nine.',
      question_score: 1,
      answer_score: 0.1,
    }
    const data = question.includes('open') ? [{ ...similar, likeness: 'contradiction', same_numbers: true }] : []
    return HttpResponse.json({ data, seen: 1 })
  }),
)
beforeEach(() => {
  Object.assign(state, { offers: ALL, sent: [] })
  sessionStorage.clear()
})

function open(search = ''): RenderResult {
  history.replaceState(null, '', `/annotations?workspace=${WORKSPACE}&app=${APP}${search}`)
  return renderPage(<AnnotationsPage />, { router: 'window' })
}

const rewrite = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })

test('a contradicting question is shown before a new annotation is saved', async () => {
  open()
  expect(await screen.findByRole('link', { name: 'When does it open?' })).toBeTruthy()
  expect(screen.getByText(/Listed by the platform/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'New annotation' }))
  const sheet = await screen.findByRole('dialog', { name: 'New annotation' })
  rewrite(within(sheet).getByLabelText(/question/i), 'When do you open?')
  rewrite(within(sheet).getByLabelText(/answer/i), 'Never.')
  expect(await within(sheet).findByText('same question, different answer')).toBeTruthy()
  await userEvent.click(within(sheet).getByRole('button', { name: 'Save anyway' }))
  await waitFor(() => expect(state.sent).toMatchObject([{ body: { question: 'When do you open?', answer: 'Never.' } }]))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('with the eighteen operations alone the list is what was seen, and nothing can be edited', async () => {
  state.offers = []
  open('&annotation=one')
  expect(await screen.findByText(/Seen by this console/)).toBeTruthy()
  const sheet = await screen.findByRole('dialog', { name: 'Annotation' })
  expect(within(sheet).getByText('At nine.')).toBeTruthy()
  expect(within(sheet).queryByRole('button', { name: /Save/ })).toBeNull()
})

test('an annotation that is not among the newest is probed, and no other in its place', async () => {
  const resource = { kind: 'annotation', id: 'old', workspace: WORKSPACE, label: 'Who was here?', parent: APP }
  server.use(
    http.get('*/api/resources', ({ request }) => {
      const isOld = new URL(request.url).searchParams.get('id') === 'old'
      return HttpResponse.json(toPage(isOld ? [{ ...resource, first_seen: at, last_seen: at, payload: null }] : []))
    }),
  )
  const { unmount } = open('&view=reply&annotation=old')
  expect(await screen.findByRole('textbox', { name: /Question to ask/ })).toHaveProperty('value', 'Who was here?')
  unmount()
  open('&view=reply&annotation=gone')
  expect(await screen.findByText(/has not been seen by this console/)).toBeTruthy()
  expect(screen.queryByRole('textbox', { name: /Question to ask/ })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Choose another one' }))
  expect(await screen.findByRole('textbox', { name: /Question to ask/ })).toHaveProperty('value', 'When does it open?')
})

test('a threshold outside 0 to 1 is not sent', async () => {
  open('&view=reply')
  const field = await screen.findByRole('textbox', { name: /Score threshold/ })
  // It is enabled: the one action is to disable it, until something is changed.
  expect(screen.queryByRole('button', { name: /Enable|Update/ })).toBeNull()
  expect(screen.getByRole('button', { name: 'Disable' })).toBeTruthy()
  rewrite(field, '1.2')
  expect(screen.getByText('Must be from 0 to 1.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Update settings' })).toHaveProperty('disabled', true)
  rewrite(field, '0.97')
  expect(screen.getByText(/Only a question in nearly the same words/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Update settings' }))
  await waitFor(() => expect(state.sent).toMatchObject([{ body: { score_threshold: 0.97 } }]))
})

test('ratings of the platform are shown only where it lists them; a refusal and an empty list are told apart', async () => {
  const { unmount } = open('&view=review&reason=ratings')
  expect(await screen.findByText('Nothing to review')).toBeTruthy()
  expect(screen.queryByRole('radio', { name: 'Platform ratings' })).toBeNull()
  unmount()

  state.offers = [...ALL, 'listFeedbacks']
  const problem = { kind: 'refused', status: 403, message: 'The key may not list ratings.' }
  server.use(http.get('*/api/keys/:key/app/feedbacks', () => HttpResponse.json(problem, { status: 403 })))
  open('&view=review&reason=ratings')
  expect(await screen.findByText('The key may not list ratings.')).toBeTruthy()
  expect(screen.queryByText('No ratings')).toBeNull()
  server.use(http.get('*/api/keys/:key/app/feedbacks', () => HttpResponse.json({ data: [] })))
  await userEvent.click(screen.getByRole('button', { name: /Retry|Try again/ }))
  expect(await screen.findByText('No ratings')).toBeTruthy()
})

test('the next page of ratings is asked for after a full one; a message without known texts cannot be annotated', async () => {
  state.offers = [...ALL, 'listFeedbacks']
  const toFeedback = (number: number) => ({
    ...{ id: `rating-${number}`, message_id: `message-${number}`, rating: 'dislike', content: `Comment ${number}.` },
    ...{ from_source: 'user', created_at: at },
  })
  server.use(
    http.get('*/api/keys/:key/app/feedbacks', ({ request }) => {
      const isFirst = new URL(request.url).searchParams.get('page') === '1'
      // One rating moved to the second page while the first was shown.
      return HttpResponse.json({
        data: isFirst ? Array.from({ length: 20 }, (_, n) => toFeedback(n)) : [19, 20].map(toFeedback),
      })
    }),
    http.get('*/api/review/messages', () => HttpResponse.json({ data: [] })),
  )
  open('&view=review&reason=ratings')
  expect(await screen.findByText('Comment 0.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: /older/i }))
  expect(await screen.findByText('Comment 20.')).toBeTruthy()
  expect(screen.getAllByText(/^Comment /)).toHaveLength(21)
  expect(screen.getAllByText(/cannot be annotated here/)).toHaveLength(21)
  expect(screen.queryByRole('button', { name: 'Annotate' })).toBeNull()
  expect(screen.queryByRole('button', { name: /older/i })).toBeNull()
})

const enabled = makeCall({
  entry: 'annotations.reply',
  workspace: WORKSPACE,
  key: APP,
  params: { action: 'enable' },
  reply: { job_id: '33333333-3333-4333-8333-333333333333', job_status: 'waiting' },
  request: { score_threshold: 0.8, embedding_provider_name: 'acme', embedding_model_name: 'mini' },
})
const withCalls = (data: unknown[]) =>
  server.use(http.get('*/api/calls', () => HttpResponse.json({ data, total: null, total_capped: false, next: null })))

test('what enabled it is sent again to disable it, and a refusal stands at the form', async () => {
  withCalls([enabled])
  server.use(
    http.post('*/api/keys/:key/apps/annotation-reply/disable', async ({ request }) => {
      await take(request)
      const problem = { kind: 'refused', status: 424, message: 'embedding_model_name is required' }
      return HttpResponse.json(problem, { status: 424 })
    }),
  )
  open('&view=reply')
  await userEvent.click(await screen.findByRole('button', { name: 'Disable' }))
  expect(await screen.findByText('embedding_model_name is required')).toBeTruthy()
  expect(state.sent).toMatchObject([{ path: expect.stringContaining('/disable') as string, body: enabled.request }])
  expect(screen.getByRole('textbox', { name: /Score threshold/ })).toHaveProperty('value', '0.8')
})

test('a job is started where the platform tells nothing of it, and what it says where it does', async () => {
  state.offers = []
  withCalls([enabled])
  const { unmount } = open('&view=reply')
  const job = await screen.findByRole('group', { name: /job/i })
  expect(within(job).getByText('started')).toBeTruthy()
  expect(within(job).queryByText('completed')).toBeNull()
  unmount()
  state.offers = ALL
  server.use(
    http.get('*/api/keys/:key/apps/annotation-reply/:action/status/:job', () =>
      HttpResponse.json({
        job_id: '33333333-3333-4333-8333-333333333333',
        job_status: 'error',
        error_msg: 'The model is gone.',
      }),
    ),
  )
  open('&view=reply')
  expect(await screen.findByText('The model is gone.')).toBeTruthy()
  expect(within(screen.getByRole('group', { name: /job/i })).getByText('error')).toBeTruthy()
})
