import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { askQuestion } from '#support/chatPage.ts'
import { toHierarchy } from '#support/documentFixtures.ts'
import { RealDialect } from '#support/platforms/realDialect.ts'
import { expect, test } from '#support/fixtures.ts'

test('a platform in the real dialect is set up by pasting its keys, and every screen works on it', async ({
  signedInPage,
  loupe,
}) => {
  const real = await RealDialect.startBefore(loupe.platform)
  const file = readFileSync(join(loupe.folder, 'secrets', 'platform-keys.json'), 'utf8')
  const keys = (JSON.parse(file) as { value: string }[]).map(({ value }) => value)

  await signedInPage.goto(`${loupe.url}/workspaces`)
  await signedInPage.getByRole('button', { name: 'Add a platform' }).click()
  const form = signedInPage.getByRole('dialog', { name: 'Add a platform' })
  await form.getByRole('textbox', { name: 'Name' }).fill('The real one')
  await form.getByRole('textbox', { name: 'Base URL' }).fill('http://169.254.169.254/v1')
  await form.getByRole('button', { name: 'Detect keys' }).click()
  await expect(form.getByText('must not lead to 169.254.169.254', { exact: false })).toBeVisible()
  await form.getByRole('textbox', { name: 'Base URL' }).fill(`${real.url}/`)
  await form.getByRole('textbox', { name: 'Keys' }).fill([...keys.slice(0, 3), 'two words'].join('\n'))
  await form.getByRole('button', { name: 'Detect keys' }).click()
  await expect(form.getByText('must be one key', { exact: false })).toBeVisible()
  await form.getByRole('textbox', { name: 'Keys' }).fill(keys.slice(0, 4).join('\n'))
  await form.getByRole('button', { name: 'Detect keys' }).click()
  await expect(form.getByText(`API found at ${real.url}/v1, version 1.12.0.`)).toBeVisible()
  for (const [at, kind] of ['knowledge', 'chat', 'completion', 'workflow'].entries())
    await expect(form.getByRole('combobox', { name: `Kind of key ${at + 1}` })).toHaveValue(kind)
  await form.getByRole('button', { name: 'Add workspace with 4 keys' }).click()
  const card = signedInPage.getByRole('region', { name: 'The real one', exact: true })
  await expect(card.getByText('version 1.12.0')).toBeVisible()
  await card.getByText('API dialect').click()
  await expect(card.getByText('detected: weights an object, reranking_mode a string')).toBeAttached()

  const api = async <T>(method: string, path: string, data?: unknown): Promise<T> => {
    const response = await signedInPage.request.fetch(loupe.url + path, { method, data, headers: { 'x-console': '1' } })
    expect(response.ok(), `${method} ${path}: ${await response.text()}`).toBe(true)
    const text = await response.text()
    return (text === '' ? null : JSON.parse(text)) as T
  }
  const { data } = await api<{ data: { id: string; name: string; keys: { id: string; kind: string }[] }[] }>(
    'GET',
    '/api/workspaces',
  )
  const workspace = data.find(({ name }) => name === 'The real one')
  const at = (kind: string) => `/api/keys/${workspace?.keys.find((key) => key.kind === kind)?.id}`
  // In the interface document's shape, as a form or a script may send it: the real platform refuses it so.
  const retrieval_model = { search_method: 'hybrid_search', top_k: 3, weights: 0.6 }
  const dataset = await api<{ id: string }>('POST', `${at('knowledge')}/datasets`, {
    name: 'Of the real one',
    indexing_technique: 'economy',
    retrieval_model,
  })
  const documents = `${at('knowledge')}/datasets/${dataset.id}`
  const made = await api<{ document: { id: string } }>('POST', `${documents}/document/create-by-text`, {
    name: 'lamps.md',
    text: 'A lamp glows.\n\nA lens bends light.',
    indexing_technique: 'economy',
    ...toHierarchy('\n'),
  })
  const list = `${documents}/documents/${made.document.id}/segments`
  await expect.poll(async () => (await api<{ data: unknown[] }>('GET', list)).data.length).toBeGreaterThan(0)
  const segment = (await api<{ data: { id: string }[] }>('GET', list)).data[0]?.id ?? ''

  const search = `workspace=${workspace?.id}`
  const visit = async (path: string, name: string | RegExp) => {
    await signedInPage.goto(`${loupe.url}${path}${path.includes('?') ? '&' : '?'}${search}`)
    await expect(signedInPage.getByRole('heading', { level: 1, name }).first()).toBeVisible()
  }
  const calm = () => expect(signedInPage.getByRole('main').getByRole('alert')).toHaveCount(0)

  await visit('/chat', /./)
  await askQuestion(signedInPage, 'What glows?')
  await expect(signedInPage.getByRole('log').getByRole('button', { name: 'Regenerate' })).toBeVisible()
  await calm()
  await askQuestion(signedInPage, 'Please FAIL.')
  await expect(signedInPage.getByRole('log')).toContainText('The model is overloaded.')
  const run = (kind: string, path: string, body: object) => api<Record<string, unknown>>('POST', at(kind) + path, body)
  const inputs = await api<{
    user_input_form: Record<string, { variable: string; required?: boolean; options?: string[] }>[]
  }>('GET', `${at('completion')}/parameters`)
  const given = inputs.user_input_form
    .flatMap((one) => Object.values(one))
    .filter(({ required }) => required)
    .map(({ variable, options }) => [variable, options?.[0] ?? 'A lamp glows.'])
  const written = await run('completion', '/completion-messages', {
    inputs: Object.fromEntries(given),
    user: 'walker',
    response_mode: 'blocking',
  })
  expect(written.mode).toBe('completion')
  const answered = await run('workflow', '/workflows/run', {
    inputs: { query: 'What glows?' },
    user: 'walker',
    response_mode: 'blocking',
  })
  await api('GET', `${at('workflow')}/workflows/run/${String(answered.workflow_run_id)}`)
  await run('chat', '/apps/annotation-reply/disable', { score_threshold: 0.9, embedding_model_name: null })
  await run('chat', '/apps/annotations', { question: 'What glows?', answer: 'A lamp.' })

  const { data: runs } = await api<{ data: { id: string; entry: string }[] }>(
    'GET',
    `/api/runs?${search}&status=succeeded`,
  )
  const place = `/datasets/${dataset.id}`
  for (const path of [
    '/',
    '/completion',
    '/workflows',
    '/runs',
    '/compare',
    '/batches',
    '/batches/new',
    '/ledger',
    '/annotations',
    '/lab',
    '/datasets',
    place,
    `${place}/settings`,
    `${place}/retrieval`,
    `${place}/documents/${made.document.id}?segment=${segment}`,
    ...runs.map(({ id }) => `/runs/${id}`),
  ]) {
    await visit(path, /./)
    await signedInPage.waitForLoadState('networkidle')
    await expect(signedInPage.locator('[aria-busy=true]')).toHaveCount(0)
    await calm()
  }
  await visit(`/runs/${runs.find(({ entry }) => entry === 'workflows.run')?.id}`, /./)
  await signedInPage.getByRole('tab', { name: 'Current platform data' }).click()
  await expect(signedInPage.getByText('report-of-lamps.pdf').first()).toBeVisible()

  // What it refuses for the state that something is in is said in its own words, where it was asked for.
  real.activeStates.add('a segment whose embedding model is gone')
  await visit(`${place}/documents/${made.document.id}?segment=${segment}`, /./)
  await expect(signedInPage.getByText('No Embedding Model available.', { exact: false }).first()).toBeVisible()
  real.activeStates.clear()
  const refusal = async (method: string, path: string, data?: object) => {
    const response = await signedInPage.request.fetch(loupe.url + path, { method, data, headers: { 'x-console': '1' } })
    return response.text()
  }
  real.activeStates.add('an archived document').add('a document that is being indexed')
  expect(await refusal('DELETE', `${documents}/documents/${made.document.id}`)).toContain('archived_document_immutable')
  expect(await refusal('POST', list, { segments: [{ content: 'x' }] })).toContain('not_found')
  real.activeStates.clear()

  await api('PATCH', documents, {
    permission: 'partial_members',
    partial_member_list: ['3f0e9a52-6b1f-4c53-9a52-0d9f3a1c7e01'],
  })
  const chunks = await api<{ data: { id: string }[] }>('GET', `${list}/${segment}/child_chunks`)
  expect(chunks.data.length).toBeGreaterThan(0)
  await api('DELETE', `${documents}/documents/${made.document.id}`)
  await visit(place, /./)
  await expect(signedInPage.getByText('lamps.md')).toHaveCount(0)

  expect(real.rejectedRequests).toEqual([])
  expect([...real.shownFiles].sort()).toEqual([
    'a child chunk of few fields',
    'a delete answers 200 with a number',
    'a document that is being indexed',
    'a file among the outputs of a run',
    'a file with a relative address',
    'a ping without data',
    'a retrieval model of upstream’s shape',
    'a run whose inputs and outputs are text',
    'a segment whose embedding model is gone',
    'a word after the end',
    'an archived document',
    'an error without a task_id',
  ])
  await real.close()
})
