import { describe, expect, it } from 'vitest'
import type { EndpointReply } from '#contract/endpoint.ts'
import type { contract } from '#contract/index.ts'
import type { Problem } from '#contract/problem.ts'
import type { Key } from '#contract/console/workspaces.ts'
import {
  createReleaseScript,
  getReleaseKey,
  KNOWN_DATASET_ID,
  type PlatformRelease,
} from '#support/platforms/releasePlatform.ts'
import { ScriptedPlatform } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../../app.testing.ts'

const testConsole = TestConsole.forFile()

type DetectionReply = EndpointReply<typeof contract.console.detectPlatform>
const detect = (base_url: string, keys: string[]) =>
  testConsole.json<DetectionReply>('POST', '/api/platform-detection', { base_url, keys })
const behaveAs = (release: PlatformRelease) => {
  testConsole.platform.script = createReleaseScript(release)
}
const WRONG = 'app-wrongwrongwrongwrong'
const MODES = ['knowledge', 'chat', 'advanced-chat', 'workflow', 'completion'] as const
const KINDS = ['knowledge', 'chat', 'chat', 'workflow', 'completion']

describe('the kind of a key', () => {
  it.each(['1.9.2', '1.16.0-rc1'] as const)(
    'is told by %s, whatever it answers about an unknown dataset',
    async (release) => {
      behaveAs(release)
      testConsole.platform.requests.length = 0
      const { keys, version } = await detect(testConsole.platform.url, [...MODES.map(getReleaseKey), WRONG])
      expect(version).toBe(release)
      expect(keys.map(({ kind }) => kind)).toEqual([...KINDS, null])
      expect(keys.map(({ mode }) => mode)).toEqual([null, 'chat', 'advanced-chat', 'workflow', 'completion', null])
      expect(keys[1]?.name).toBe('real chat')
      expect(keys[5]?.problem).toMatchObject({ kind: 'refused', message: 'Access token is invalid' })
      expect(new Set(testConsole.platform.requests.map(({ method }) => method))).toEqual(new Set(['GET']))
    },
  )

  it('is not known on a platform with the 18 operations alone, unless its errors rule the others out', async () => {
    behaveAs('interface')
    const { keys } = await detect(testConsole.platform.url, [...MODES.map(getReleaseKey), WRONG])
    expect(keys.map(({ kind, may_be }) => [kind, may_be])).toEqual([
      [null, ['knowledge']],
      [null, ['chat', 'completion']],
      [null, ['chat', 'workflow', 'completion']],
      [null, ['chat', 'workflow', 'completion']],
      [null, ['chat', 'completion']],
      [null, []],
    ])
    expect(keys.map(({ problem }) => problem?.message ?? null)).toEqual([
      null,
      null,
      null,
      null,
      null,
      'Access token is invalid',
    ])
  })

  it('is asked of no platform that refuses every key', async () => {
    behaveAs('refusing')
    const { keys, problem } = await detect(testConsole.platform.url, MODES.map(getReleaseKey))
    expect(problem).toBeNull()
    expect(keys.map((key) => [key.kind, key.problem?.message])).toEqual(
      MODES.map(() => [null, 'Access token is invalid']),
    )
  })
})

describe('the base URL', () => {
  it('is corrected: without a scheme, without /v1, with slashes, with the path of an operation', async () => {
    behaveAs('1.16.0-rc1')
    const root = testConsole.platform.url.replace('/v1', '')
    const host = root.replace('http://', '')
    for (const given of [
      root,
      `${root}/`,
      `${root}/v1`,
      `${root}/v1///`,
      host,
      `${host}/v1`,
      `${root}/v1/chat-messages`,
      `${root}/v1/parameters?user=x`,
      `${host}/v1/datasets/${KNOWN_DATASET_ID}/documents`,
    ])
      expect(await detect(given, [getReleaseKey('chat')]), given).toMatchObject({
        base_url: `${root}/v1`,
        version: '1.16.0-rc1',
        problem: null,
      })
  })

  it('of a new workspace is refused with what was probably meant', async () => {
    const response = await testConsole.fetch('POST', '/api/workspaces', { name: 'W', base_url: '127.0.0.1:5001/v1' })
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { fields: [{ path: 'body.base_url', message: 'must be a URL such as http://127.0.0.1:5001/v1' }] },
    ])
  })

  it('says at the field what is wrong with a URL or a key', async () => {
    testConsole.platform.script = (_seen, response) => void response.writeHead(200).end('<h1>Welcome</h1>')
    expect((await detect(testConsole.platform.url, [])).problem?.fields?.[0]).toEqual({
      path: 'body.base_url',
      message: 'must be where a platform answers: it says 200, and not in JSON',
    })
    expect((await detect('http://127.0.0.1:1/v1', ['k'])).problem?.kind).toBe('unreachable')
    const refused = async (base_url: string, keys: string[]) => {
      const response = await testConsole.fetch('POST', '/api/platform-detection', { base_url, keys })
      const { fields } = (await response.json()) as { fields: { path: string; message: string }[] }
      return `${response.status} ${fields[0]?.path} ${fields[0]?.message}`
    }
    expect(await refused('http://host/v1', ['two words'])).toBe(
      '400 body.keys.0 must be one key: blanks and line breaks are no part of a key',
    )
    expect(await refused('http://host/v1', ['a\nb'])).toContain('line breaks')
    expect(await refused('http://host/v1', ['schlüssel'])).toBe(
      '400 body.keys.0 must be visible ASCII without quotation marks and backslashes',
    )
    expect(await refused('http://2852039166/v1', [])).toContain('400 body.base_url must not lead to 169.254.169.254')
  })
})

describe('a key that is stored', () => {
  const save = (kind: string, key: string) =>
    testConsole.fetch('POST', `/api/workspaces/${testConsole.workspace}/keys`, { kind, label: 'One', key })
  const replace = (kind: keyof TestConsole['keys'], key: string) =>
    testConsole.fetch('PATCH', `/api/workspaces/${testConsole.workspace}/keys/${testConsole.keys[kind]}`, { key })
  const readKey = async (id: string) => (await testConsole.readKey(id)) as Key
  const getFieldError = async (response: Response) =>
    `${response.status} ${((await response.json()) as { fields?: { message: string }[] }).fields?.[0]?.message}`

  it('is one of the kind that the platform answers it as', async () => {
    behaveAs('1.9.2')
    for (const [kind, mode, said] of [
      ['chat', 'knowledge', 'knowledge'],
      ['knowledge', 'chat', 'chat'],
      ['completion', 'workflow', 'workflow'],
      ['workflow', 'advanced-chat', 'chat'],
    ] as const)
      expect(await getFieldError(await save(kind, getReleaseKey(mode)))).toBe(
        `400 must be a key of the kind ${kind}: the platform answers it as ${said}`,
      )
    for (const [index, mode] of MODES.entries()) {
      const response = await save(KINDS[index] ?? '', getReleaseKey(mode))
      expect(response.status).toBe(200)
      expect(await response.json()).toMatchObject({ kind_confirmed: true, health: 'healthy' })
    }
  })

  it('is not stored where nothing accepts it, and the platform’s words say why', async () => {
    for (const release of ['1.9.2', 'interface', 'refusing'] as const) {
      behaveAs(release)
      for (const kind of ['knowledge', 'chat'])
        expect(await getFieldError(await save(kind, WRONG))).toBe(
          '400 must be a key that the platform accepts; it answers “Access token is invalid”',
        )
    }
  })

  it('keeps its place when the replacement is wrong, of another kind, or cannot be tried', async () => {
    behaveAs('1.16.0-rc1')
    expect((await replace('knowledge', getReleaseKey('knowledge'))).status).toBe(200)
    const before = await readKey(testConsole.keys.knowledge)
    expect(before).toMatchObject({ hint: 'aaaa', kind_confirmed: true })
    expect(await getFieldError(await replace('knowledge', 'dataset-garbagegarbagegarbage'))).toContain(
      '400 must be a key that the platform accepts',
    )
    expect(await getFieldError(await replace('knowledge', getReleaseKey('chat')))).toContain('answers it as chat')
    testConsole.platform.script = (_seen, response) => void response.destroy()
    const unreachable = await replace('knowledge', 'dataset-bbbbbbbbbbbbbbbbbbbb')
    expect(unreachable.status).toBe(502)
    expect(((await unreachable.json()) as { message: string }).message).toContain('the current key stays')
    expect(await readKey(testConsole.keys.knowledge)).toMatchObject({ hint: 'aaaa', updated_at: before.updated_at })
  })

  it('of a platform that lists no datasets is tried on a dataset that it has', async () => {
    behaveAs('interface')
    await testConsole.query(
      `INSERT INTO resources(workspace_id, kind, id, first_seen, last_seen) VALUES ($1, 'dataset', $2, now(), now())
       ON CONFLICT DO NOTHING`,
      [testConsole.workspace, KNOWN_DATASET_ID],
    )
    const response = await save('knowledge', getReleaseKey('knowledge'))
    expect(await response.json()).toMatchObject({ kind: 'knowledge', kind_confirmed: true })
  })

  it('is confirmed by the first success of an operation of its kind, where a person chose the kind', async () => {
    behaveAs('interface')
    const { id } = (await (await save('chat', getReleaseKey('chat'))).json()) as Key
    expect(await readKey(id)).toMatchObject({ kind_confirmed: false })
    expect((await testConsole.fetch('GET', `/api/keys/${id}/parameters`)).status).toBe(200)
    expect(await readKey(id)).toMatchObject({ kind_confirmed: false })
    const body = { query: 'Tea?', user: 'tester', inputs: {}, response_mode: 'blocking' }
    expect((await testConsole.fetch('POST', `/api/keys/${id}/chat-messages`, body)).status).toBe(200)
    await expect.poll(() => readKey(id)).toMatchObject({ kind_confirmed: true, health: 'healthy' })
  })

  it('is not stored for another origin, nor sent there, when the workspace is changed while the key is verified', async () => {
    const path = `/api/workspaces/${testConsole.workspace}`
    const other = await ScriptedPlatform.start()
    const answer = createReleaseScript('1.9.2')
    for (const send of [save, replace]) {
      await testConsole.json('PATCH', path, { base_url: testConsole.platform.url })
      const countKeys = () => testConsole.database.pool.query('SELECT 1 FROM keys').then(({ rowCount }) => rowCount)
      const before = await countKeys()
      let change: Promise<unknown> | undefined
      testConsole.platform.script = async (seen, response) => {
        await (change ??= testConsole.json('PATCH', path, { base_url: other.url }))
        await answer(seen, response)
      }
      const response = await send('chat', getReleaseKey('chat'))
      expect([response.status, ((await response.json()) as Problem).message]).toEqual([
        409,
        'The origin of the workspace was changed while the key was being verified. Enter the key again.',
      ])
      expect(await countKeys()).toBe(before)
      expect(await readKey(testConsole.keys.chat)).toMatchObject({ usable: false, hint: null })
    }
    expect(other.requests).toEqual([])
    await testConsole.json('PATCH', path, { base_url: testConsole.platform.url })
    await other.close()
  })
})
