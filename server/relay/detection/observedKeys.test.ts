import { describe, expect, it } from 'vitest'
import type { Run } from '#contract/console/runs.ts'
import type { Key } from '#contract/console/workspaces.ts'
import {
  createReleaseScript,
  getReleaseKey,
  KNOWN_DATASET_ID,
  type PlatformRelease,
} from '#support/platforms/releasePlatform.ts'
import { sendError } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../../app.testing.ts'

const testConsole = TestConsole.forFile()

const behaveAs = (release: PlatformRelease) => {
  testConsole.platform.script = createReleaseScript(release)
}
const breakConnections = () => {
  testConsole.platform.script = (_seen, response) => void response.destroy()
}
const save = (kind: string, key: string) =>
  testConsole.json<Key>('POST', `/api/workspaces/${testConsole.workspace}/keys`, { kind, label: kind, key })
const probe = (id: string) => testConsole.json<Key>('POST', `/api/workspaces/${testConsole.workspace}/keys/${id}/probe`)
const readKey = async (id: string) => (await testConsole.readKey(id)) as Key
const ask = (id: string, path = '/chat-messages') =>
  testConsole.fetch('POST', `/api/keys/${id}${path}`, {
    ...(path === '/chat-messages' ? { query: 'Tea?' } : {}),
    user: 'tester',
    inputs: { query: 'Tea?' },
    response_mode: 'blocking',
  })

describe('the capabilities of a key', () => {
  it('are broken in a release that has the routes and cannot carry them out, until a later release answers', async () => {
    behaveAs('1.9.2')
    const { id, capabilities, offers } = await save('chat', getReleaseKey('chat'))
    for (const name of ['listAnnotations', 'updateAnnotation', 'annotations.create', 'annotations.reply'])
      expect(capabilities[name]).toMatchObject({
        state: 'broken',
        message: 'current_user must be an Account instance',
        version: '1.9.2',
      })
    expect(capabilities.updateAnnotation?.assumed_from).toBe('listAnnotations')
    expect(offers).not.toContain('listAnnotations')
    behaveAs('1.16.0-rc1')
    expect((await probe(id)).offers).toEqual(expect.arrayContaining(['listAnnotations', 'updateAnnotation']))
  })

  it('of a chatflow include its runs and logs, of a workflow its annotations', async () => {
    behaveAs('1.16.0-rc1')
    const chatflow = await save('chat', getReleaseKey('advanced-chat'))
    expect(chatflow).toMatchObject({ mode: 'advanced-chat' })
    expect(chatflow.offers).toEqual(expect.arrayContaining(['workflowLogs', 'listConversations']))
    expect((await save('workflow', getReleaseKey('workflow'))).offers).toContain('listAnnotations')
  })

  it('survive a 404 about a thing, and are refused in the platform’s words where the app has another mode', async () => {
    behaveAs('1.16.0-rc1')
    const { id } = await save('chat', getReleaseKey('chat'))
    testConsole.platform.script = (_seen, response) =>
      sendError(response, 404, {
        code: 'not_found',
        message: 'Conversation Not Exists. You have requested this URI [/v1/messages] but did you mean /v1/messages ?',
        status: 404,
      })
    const query = `conversation_id=${KNOWN_DATASET_ID}&user=tester`
    expect((await testConsole.fetch('GET', `/api/keys/${id}/messages?${query}`)).status).toBe(424)
    expect((await readKey(id)).offers).toContain('listMessages')
    behaveAs('1.16.0-rc1')
    const path = `/api/keys/${id}/workflows/run/${KNOWN_DATASET_ID}`
    expect((await testConsole.fetch('GET', path)).status).toBe(424)
    await expect
      .poll(async () => (await readKey(id)).capabilities['workflows.readRun'])
      .toMatchObject({ state: 'refused', message: 'Please check if your app mode matches the right API route.' })
    expect(await readKey(id)).toMatchObject({ health: 'healthy' })
  })
})

describe('the health of a key', () => {
  it('is unreachable since the first failed connection, and healthy after the next success of any key', async () => {
    behaveAs('1.16.0-rc1')
    const chat = await save('chat', getReleaseKey('chat'))
    const other = await save('completion', getReleaseKey('completion'))
    breakConnections()
    expect((await testConsole.fetch('GET', `/api/keys/${chat.id}/parameters`)).status).toBe(502)
    await expect.poll(() => readKey(chat.id)).toMatchObject({ health: 'unreachable' })
    const { health_since } = await readKey(chat.id)
    const response = await testConsole.fetch('POST', `/api/workspaces/${testConsole.workspace}/keys/${chat.id}/probe`)
    expect(response.status).toBe(502)
    expect(await readKey(chat.id)).toMatchObject({ health: 'unreachable', health_since })
    expect(await readKey(other.id)).toMatchObject({ health: 'healthy' })
    behaveAs('1.16.0-rc1')
    await probe(other.id)
    expect(await readKey(chat.id)).toMatchObject({ health: 'healthy', last_problem: null })
  })

  it('stays of the wrong kind after reads that every app answers', async () => {
    behaveAs('interface')
    // Nothing tells a workflow key from a chat key here, so the wrong choice is stored.
    const { id } = await save('chat', getReleaseKey('workflow'))
    expect((await ask(id)).status).toBe(424)
    await expect.poll(() => readKey(id)).toMatchObject({ health: 'wrong_kind', kind_confirmed: false })
    expect((await testConsole.fetch('GET', `/api/keys/${id}/parameters`)).status).toBe(200)
    expect(await readKey(id)).toMatchObject({ health: 'wrong_kind' })
    behaveAs('1.16.0-rc1')
    expect(await probe(id)).toMatchObject({
      health: 'wrong_kind',
      mode: 'workflow',
      last_problem: { message: 'The platform accepts this key as a workflow key, not as a chat key.' },
    })
  })
})

it('a run keeps the release that answered it', async () => {
  behaveAs('1.9.2')
  const { id } = await save('chat', getReleaseKey('chat'))
  expect((await ask(id)).status).toBe(200)
  behaveAs('1.16.0-rc1')
  expect((await ask(id)).status).toBe(200)
  const data = await testConsole.list<Run>(`/api/runs?key=${id}`)
  expect(data.map(({ platform_version }) => platform_version)).toEqual(['1.16.0-rc1', '1.9.2'])
})
