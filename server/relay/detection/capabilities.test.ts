import { beforeEach, expect, it } from 'vitest'
import type { Key } from '#contract/console/workspaces.ts'
import { sendError, type RecordedRequest } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../../app.testing.ts'

const testConsole = TestConsole.forFile()
beforeEach(() => {
  testConsole.platform.requests.length = 0
})

const DATASET = 'a0000000-0000-4000-8000-000000000001'
const DOCUMENT = 'a0000000-0000-4000-8000-000000000002'
type Kind = 'knowledge' | 'chat' | 'completion' | 'workflow'
const probe = async (kind: Kind) => {
  const key = await testConsole.json<Key>(
    'POST',
    `/api/workspaces/${testConsole.workspace}/keys/${testConsole.keys[kind]}/probe`,
  )
  return key.offers.toSorted()
}
const scriptReplies = (replies: Record<string, unknown>) => {
  testConsole.platform.script = ({ path }: RecordedRequest, response) => {
    const reply = replies[path.split('?')[0] ?? '']
    if (reply === undefined)
      return sendError(response, 404, { code: 'not_found', message: 'Nothing at this path.', status: 404 })
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  }
}
const page = (data: unknown[]) => ({ data, has_more: false, limit: 1, total: data.length, page: 1 })

it('a platform with the 18 operations alone offers nothing beyond them, and is only read', async () => {
  scriptReplies({})
  expect(await probe('knowledge')).toEqual([])
  expect(await probe('chat')).toEqual([])
  expect(await probe('workflow')).toEqual([])
  expect(new Set(testConsole.platform.requests.map(({ method }) => method))).toEqual(new Set(['GET']))
})

it('each family of operations is offered by itself', async () => {
  scriptReplies({
    '/v1/datasets': page([{ id: DATASET, name: 'A base', document_count: 1 }]),
    [`/v1/datasets/${DATASET}/documents`]: page([{ id: DOCUMENT, name: 'A document' }]),
    [`/v1/datasets/${DATASET}/documents/${DOCUMENT}/segments`]: { ...page([]), doc_form: 'text_model' },
    '/v1/conversations': { data: [], has_more: false, limit: 1 },
  })
  const knowledge = await probe('knowledge')
  expect(knowledge).toEqual(expect.arrayContaining(['listDatasets', 'retrieve', 'listSegments', 'updateSegment']))
  expect(knowledge).not.toContain('readDocument')
  expect(knowledge).not.toContain('createByFile')
  expect(knowledge).not.toContain('listModels')
  const chat = await probe('chat')
  expect(chat).toEqual(expect.arrayContaining(['listConversations', 'feedback', 'stopChat']))
  expect(chat).not.toContain('listAnnotations')
})

it('a dry run of retrieval is offered where its path takes another method than the probe', async () => {
  scriptReplies({ '/v1/datasets': page([]) })
  expect(await probe('knowledge')).not.toContain('dryRunRetrieval')
  testConsole.platform.script = ({ path }: RecordedRequest, response) => {
    if (path.endsWith('/retrieve/dry-run'))
      return sendError(response, 405, { code: 'method_not_allowed', message: 'GET is not answered here, but POST.' })
    sendError(response, 200, page([]))
  }
  expect(await probe('knowledge')).toContain('dryRunRetrieval')
  expect(testConsole.platform.requests.every(({ method }) => method === 'GET')).toBe(true)
})

it('a release that refuses a list of conversations without a user offers what it offers', async () => {
  testConsole.platform.script = ({ path }: RecordedRequest, response) => {
    const { pathname, searchParams } = new URL(path, testConsole.platform.url)
    if (pathname !== '/v1/conversations') return sendError(response, 404, { code: 'not_found', message: 'No.' })
    if (!searchParams.get('user')) return sendError(response, 400, { message: 'Arg user must be provided.' })
    sendError(response, 200, { data: [], has_more: false, limit: 1 })
  }
  expect(await probe('chat')).toEqual(expect.arrayContaining(['listConversations', 'listMessages', 'stopChat']))
})

it('a platform without datasets has metadata where it has tags', async () => {
  scriptReplies({ '/v1/datasets': page([]), '/v1/datasets/tags': [] })
  expect(await probe('knowledge')).toEqual(expect.arrayContaining(['listTags', 'listMetadata', 'createMetadata']))
})

const TAGS_MISSING =
  'Dataset not found. You have requested this URI [/v1/datasets/tags] but did you mean /v1/datasets/tags ?'

it('tags, metadata, downloads and pipelines are told by a read each', async () => {
  const metadata = `/v1/datasets/${DATASET}/metadata`
  const download = `/v1/datasets/${DATASET}/documents/${DOCUMENT}/download`
  const replies = {
    '/v1/datasets': page([{ id: DATASET, name: 'A base', document_count: 1, pipeline_id: null }]),
    '/v1/datasets/tags': [{ id: DATASET, name: 'tea', type: 'knowledge', binding_count: '1' }],
    [metadata]: { doc_metadata: [], built_in_field_enabled: false },
    [`/v1/datasets/${DATASET}/documents`]: page([{ id: DOCUMENT, name: 'A', data_source_type: 'upload_file' }]),
    [`/v1/datasets/${DATASET}/documents/${DOCUMENT}`]: { id: DOCUMENT, name: 'A' },
    [download]: { url: 'http://127.0.0.1:1/file' },
  }
  scriptReplies(replies)
  const current = await probe('knowledge')
  for (const name of ['bindTags', 'deleteTag', 'updateDocumentMetadata', 'setBuiltInMetadata', 'downloadDocuments'])
    expect(current).toContain(name)
  for (const name of ['listDatasourcePlugins', 'runPipeline']) expect(current).not.toContain(name)
  expect(testConsole.platform.requests.every(({ method }) => method === 'GET')).toBe(true)

  // Release 1.9: tags have no route of their own, and downloads end in the router's page.
  testConsole.platform.script = ({ path }: RecordedRequest, response) => {
    const [route = ''] = path.split('?')
    if (route === '/v1/datasets/tags')
      return sendError(response, 404, { code: 'not_found', message: TAGS_MISSING, status: 404 })
    if (route === download)
      return void response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not Found</h1>')
    const reply = (replies as Record<string, unknown>)[route]
    sendError(response, reply === undefined ? 404 : 200, reply ?? { code: 'not_found', message: 'Dataset not found.' })
  }
  const older = await probe('knowledge')
  expect(older).toContain('listMetadata')
  for (const name of ['listTags', 'bindTags', 'downloadDocument', 'downloadDocuments', 'updateDocument'])
    expect(older).not.toContain(name)
  const key = await testConsole.readKey(testConsole.keys.knowledge)
  expect(key?.capabilities['bindTags']).toMatchObject({ state: 'broken', message: TAGS_MISSING })
  expect(key?.capabilities['downloadDocument']).toMatchObject({ state: 'missing' })
  // Its message is of a dataset that does not exist, so the route may be there.
  expect(key?.capabilities['listDatasourcePlugins']).toMatchObject({ state: 'missing' })
})

const RUN_OPERATIONS = ['runEvents', 'readForm', 'submitForm']
const VARIABLE_OPERATIONS = ['listConversationVariables', 'updateConversationVariable']
const NOT_ALLOWED = { code: 'method_not_allowed', message: 'The method is not allowed for the requested URL.' }
const HELP = ' You have requested this URI [/v1/x] but did you mean /v1/messages or /v1/conversations ?'

/** A platform of release 1.16, or without `runs` of 1.9, with an application of the mode. */
const scriptRelease = (mode: string, { runs = true } = {}) => {
  testConsole.platform.script = ({ path }: RecordedRequest, response) => {
    const [route = ''] = path.replace('/v1', '').split('?')
    const refuse = (status: number, error: object) => sendError(response, status, { ...error, status })
    const isGraph = ['workflow', 'advanced-chat'].includes(mode)
    if (route === '/info') return sendError(response, 200, { name: 'App', description: '', tags: [], mode })
    if (route === '/parameters')
      return sendError(response, 200, { speech_to_text: { enabled: true }, text_to_speech: { enabled: false } })
    if (/^\/conversations\/[^/]+\/variables$/.test(route))
      return refuse(404, { code: 'not_found', message: `Conversation Not Exists.${HELP}` })
    if (/^\/conversations\/[^/]+\/variables\/[^/]+$/.test(route)) return refuse(405, NOT_ALLOWED)
    if (/^\/workflows\/[^/]+\/run$/.test(route)) return refuse(405, NOT_ALLOWED)
    if (runs && /^\/workflow\/[^/]+\/events$/.test(route))
      return isGraph
        ? refuse(404, { code: 'not_found', message: 'Workflow run not found' })
        : refuse(400, { code: 'not_workflow_app', message: 'Please check if your app mode matches.' })
    if (runs && route.startsWith('/form/human_input/'))
      return refuse(404, { code: 'not_found', message: `Form not found.${HELP}` })
    if (/^\/files\/[^/]+\/preview$/.test(route))
      return refuse(404, { code: 'file_not_found', message: 'File not found in message context' })
    response.writeHead(404, { 'content-type': 'text/html' }).end('<!doctype html><h1>Not Found</h1>')
  }
}

it.each<[string, Kind, string[]]>([
  // First: what was seen of a key stays, and a key’s app keeps its mode.
  ['agent', 'chat', []],
  ['chat', 'chat', ['listConversationVariables']],
  ['agent-chat', 'chat', ['listConversationVariables']],
  ['advanced-chat', 'chat', [...RUN_OPERATIONS, ...VARIABLE_OPERATIONS]],
  ['completion', 'completion', []],
  ['workflow', 'workflow', [...RUN_OPERATIONS, 'runVersion']],
])('an application of the mode %s has the operations of its mode', async (mode, kind, expected) => {
  scriptRelease(mode)
  const all = [...RUN_OPERATIONS, ...VARIABLE_OPERATIONS, 'runVersion']
  const offered = await probe(kind)
  expect(offered.filter((name) => all.includes(name))).toEqual(expected.toSorted())
  expect(offered).toContain('previewFile')
  expect(offered).toContain('audioToText')
  for (const name of ['textToAudio', 'readEndUser', 'readSite', 'listFeedbacks']) expect(offered).not.toContain(name)
  expect(new Set(testConsole.platform.requests.map(({ method }) => method))).toEqual(new Set(['GET']))
})

it('a release without the events of a run and its forms does not offer them', async () => {
  scriptRelease('workflow', { runs: false })
  const offered = await probe('workflow')
  for (const name of RUN_OPERATIONS) expect(offered).not.toContain(name)
  expect(offered).toContain('runVersion')
})

it('a key is probed again once its platform replies as another release', async () => {
  let version = '1.9.2'
  let replies: Record<string, unknown> = { '/v1/info': { name: 'App', description: '', tags: [], mode: 'chat' } }
  testConsole.platform.script = ({ path }: RecordedRequest, response) => {
    const reply = replies[path.split('?')[0] ?? '']
    response
      .writeHead(reply === undefined ? 404 : 200, { 'content-type': 'application/json', 'x-version': version })
      .end(JSON.stringify(reply ?? { code: 'not_found', message: 'Nothing at this path.', status: 404 }))
  }
  const offers = async () => (await testConsole.readKey(testConsole.keys.chat))?.offers
  const call = async () => {
    const response = await testConsole.fetch('GET', `/api/keys/${testConsole.keys.chat}/info`)
    expect(response.status).toBe(200)
  }
  const countListRequests = () =>
    testConsole.platform.requests.filter(({ path }) => path.startsWith('/v1/conversations?')).length
  expect(await probe('chat')).not.toContain('listConversations')
  await call()
  expect(countListRequests()).toBe(1)

  version = '1.16.0'
  replies = { ...replies, '/v1/conversations': { data: [], has_more: false, limit: 1 } }
  await call()
  await expect.poll(offers).toContain('listConversations')
  expect(countListRequests()).toBe(2)
  // Replies of both releases alternate during a rolling upgrade: that is no reason for more.
  for (version of ['1.9.2', '1.16.0', '1.9.2']) await call()
  await probe('chat')
  expect(countListRequests()).toBe(3)
})
