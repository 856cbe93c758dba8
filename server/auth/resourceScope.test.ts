import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Endpoint, isForm } from '#contract/endpoint.ts'
import { Problem } from '#contract/problem.ts'
import { TestConsole } from '../app.testing.ts'
import { toFormFields, toFormRequest, listIdFields, type IdField, routeEntries, withField } from './idFields.testing.ts'
import { createPerson } from './people.testing.ts'
import { collectIds, MAX_IDS, toUuid } from './resourceScope.ts'
import { TwoWorkspaces } from './twoWorkspaces.testing.ts'

const newIdList = (count: number) => Array.from({ length: count }, () => randomUUID())
const OUT_OF_SCOPE_IDS = newIdList(10_000)

describe('an id out of reach', () => {
  let two: TwoWorkspaces
  /** Every route that the operator may use, with each of its fields that may hold an id. */
  let cases: { name: string; url: string; entry: Endpoint; field: IdField }[] = []
  beforeAll(async () => {
    two = await TwoWorkspaces.start()
    cases = two.operatorRoutes.flatMap(({ method, url }) => {
      const name = `${String(method)} ${url}`
      const entry = routeEntries.get(name)
      return entry ? listIdFields(entry).map((field) => ({ name, url, entry, field })) : []
    })
  })
  afterAll(() => two.remove())

  const foreignId = ({ name }: { name: string }) => two.foreignIds[name] ?? two.foreignIds.document_id ?? ''
  const own = (name: string) => two.ownIds[name] ?? randomUUID()
  const isOwnRead = ({ entry }: { entry: Endpoint }) => entry.method === 'GET' && !entry.path.startsWith('/api/keys/')
  const label = ({ name, field }: { name: string; field: IdField }) => `${name} ${field.part}.${field.path.join('.')}`

  /** Sends a request of the entry with a value in the field, and more in its body. */
  const send = (one: (typeof cases)[number], value: unknown, more: Record<string, unknown> = {}) => {
    const { entry, url, field } = one
    const param = field.part === 'params' ? { [field.name]: String(value) } : {}
    const path = two.toPath(url, { ...two.toParams(entry), ...param })
    if (field.part === 'query') {
      const query = withField(entry, 'query', field.path, value, own) as Record<string, unknown>
      return two.send(entry.method, `${path}?${search({ ...more, ...query })}`)
    }
    if (field.part === 'params') return two.send(entry.method, path, entry.method === 'GET' ? undefined : more)
    const body = withField(entry, 'body', field.path, value, own) as object
    if (!isForm(entry.body)) return two.send(entry.method, path, { ...more, ...body })
    const noise = Object.entries(more).map(([name, item]) => ({ name, text: JSON.stringify(item) }))
    const form = toFormRequest([...noise, ...toFormFields(entry, body), { name: 'file', text: 'x', isFile: true }])
    return two.send(entry.method, path, form.payload, form.headers)
  }
  const search = (query: Record<string, unknown>) => {
    const parameters = new URLSearchParams('zone' in query ? { zone: 'Europe/Zurich' } : {})
    for (const [name, value] of Object.entries(query))
      for (const item of [value].flat(2)) if (name !== 'zone') parameters.append(name, String(item))
    return parameters
  }
  const silent = () => expect(two.countPlatformCalls()).toEqual([0, 0])

  it('is looked for on every route of the contract', () => {
    const labels = cases.map(label)
    for (const known of [
      'POST /api/saved-items body.workspace',
      'POST /api/saved-items body.about',
      'POST /api/saved-items body.value',
      'POST /api/batches body.id',
      'POST /api/resources body.id',
      'POST /api/resources body.parent',
      'POST /api/batches/:batch_id/rows body.rows.[].files.[].upload_file_id',
      'POST /api/keys/:key_id/chat-messages body.conversation_id',
      'POST /api/keys/:key_id/chat-messages body.inputs.any_name',
      'GET /api/keys/:key_id/messages query.conversation_id',
      'GET /api/keys/:key_id/datasets query.tag_ids.[]',
      'PATCH /api/keys/:key_id/datasets/:dataset_id/documents/status/:action body.document_ids.[]',
      'POST /api/keys/:key_id/datasets/:dataset_id/document/create-by-file body.original_document_id',
    ])
      expect(labels).toContain(known)
    expect(cases.length).toBeGreaterThan(200)
  })

  it('is refused in every field of every route, in capitals and at depth too, and no platform is called', async () => {
    for (const one of cases.filter((each) => !isOwnRead(each))) {
      const id = foreignId(one.field)
      const values = one.field.isFree ? [[{ deep: [id] }], { [id]: 1 }] : [id, toUuid(id) ? id.toUpperCase() : id]
      for (const value of values)
        expect([label(one), value, (await send(one, value)).status]).toEqual([label(one), value, 404])
    }
    silent()
  })

  it('is refused behind 10,000 other ids in every body and query', async () => {
    for (const one of cases.filter((each) => !isOwnRead(each) && each.field.part !== 'params')) {
      const { status, body } = await send(one, foreignId(one.field), { any_other: OUT_OF_SCOPE_IDS })
      expect([label(one), status]).toEqual([label(one), isForm(one.entry.body) ? 413 : 400])
      const problem = Problem.parse(JSON.parse(body))
      expect(problem.fields?.[0]?.path).toMatch(/^(body|query)\./)
      expect(problem.message).toMatch(/bound of 5000 ids|over 64 KiB/)
    }
    silent()
  })

  it('is refused behind as many other ids as a request may hold', async () => {
    const others = newIdList(MAX_IDS - 100)
    for (const [name, body] of [
      ['POST /api/saved-items', { value: others, kind: 'mark', workspace: two.foreignIds.workspace, name: 'planted' }],
      [
        'POST /api/saved-items',
        { value: others, kind: 'mark', workspace: two.ownIds.workspace, name: 'planted', about: two.foreignIds.run_id },
      ],
      [
        'POST /api/keys/:key_id/chat-messages',
        { inputs: { others }, query: 'q', user: 'u', conversation_id: two.foreignIds.conversation_id },
      ],
      ['POST /api/batches', { name: others, id: two.foreignIds.batch_id }],
    ] as const) {
      // prettier-ignore
      const [method = '', url = ''] = name.split(' ')
      expect([name, (await two.send(method, two.toPath(url), body)).status]).toEqual([name, 404])
    }
    silent()
    const planted = await two.testConsole.json<{ data: unknown[] }>(
      'GET',
      `/api/saved-items?kind=mark&workspace=${two.foreignIds.workspace}`,
    )
    expect(planted.data).toEqual([])
  })

  it('leaves a request with as many ids in reach or unknown alone', async () => {
    const value = newIdList(MAX_IDS - 100)
    const body = { kind: 'board', workspace: two.ownIds.workspace, name: 'many', value }
    expect((await two.send('POST', '/api/saved-items', body)).status).toBe(200)
  })

  it('filters a list of the console as an unknown id does', async () => {
    const lists = cases.filter((one) => isOwnRead(one) && one.field.part === 'query')
    expect(lists.length).toBeGreaterThan(20)
    for (const one of lists) {
      const foreign = await send(one, foreignId(one.field))
      const unknown = await send(one, randomUUID())
      expect([label(one), foreign.status, foreign.body]).toEqual([label(one), unknown.status, unknown.body])
    }
  })

  it('is refused in each header that holds ids', async () => {
    for (const { method, url } of two.operatorRoutes.filter((route) => route.method !== 'GET'))
      for (const header of ['run-id', 'run-parent', 'run-origin-id', 'last-event-id'])
        for (const value of [
          two.foreignIds.run_id ?? '',
          `${randomUUID()}, ${(two.foreignIds.run_id ?? '').toUpperCase()}`,
        ]) {
          const { status } = await two.send(String(method), two.toPath(url), {}, { [header]: value })
          expect([String(method), url, header, status]).toEqual([String(method), url, header, 404])
        }
    silent()
  })

  it('is refused however the path is spelled, and the reply is not stored', async () => {
    for (const one of cases.filter(({ field }) => field.part === 'params' && field.name !== 'conversation_id')) {
      const path = two.toPath(one.url, { [one.field.name]: foreignId(one.field) }).replace('/api/', '/%61p%69/')
      const { status, headers } = await two.send(one.entry.method, path, one.entry.method === 'GET' ? undefined : {})
      expect([label(one), status, headers['cache-control']]).toEqual([label(one), 404, 'no-store'])
    }
    const { foreignIds, ownIds } = two
    const query = `conversation_id=${foreignIds.conversation_id}&user=boss`
    expect((await two.send('GET', `/%61pi/k%65ys/${ownIds.key_id}/messages?${query}`)).status).toBe(404)
    silent()
  })

  it('is refused in an absolute address as in a plain one', async () => {
    const { host } = new URL(two.testConsole.url)
    const get = (path: string) =>
      sendRawRequest(two.testConsole.url, [
        `GET http://${host}${path} HTTP/1.1`,
        `host: ${host}`,
        `cookie: ${two.cookie}`,
      ])
    const { foreignIds, ownIds } = two
    for (const path of [`/api/runs/${foreignIds.run_id}`, `/api/keys/${ownIds.key_id}/messages?conversation_id=${foreignIds.conversation_id}`]) {
      const reply = await get(path)
      expect([path, reply.status, reply.head]).toEqual([path, 404, expect.stringMatching(/^cache-control: no-store$/im)])
    } // prettier-ignore
    const allowed = await get(`/api/runs/${ownIds.run_id}`)
    expect([allowed.status, allowed.head]).toEqual([200, expect.stringMatching(/^cache-control: no-store$/im)])
    silent()
  })

  describe('in a form', () => {
    const upload = (parts: Parameters<typeof toFormRequest>[0], change: (text: string) => string = (text) => text) => {
      const form = toFormRequest(parts)
      const path = two.toPath('/api/keys/:key_id/datasets/:dataset_id/document/create-by-file', {
        key_id: own('key'),
      })
      return two.send('POST', path, change(form.payload), form.headers)
    }
    const file = { name: 'file', text: 'the text', isFile: true }
    const data = (id: string | undefined) => ({ name: 'data', text: JSON.stringify({ original_document_id: id }) })

    it('is refused before the file and behind it: the platform never has the whole request', async () => {
      const before = [data(two.foreignIds.document_id), file]
      expect((await upload(before)).status).toBe(404)
      expect((await upload(before.toReversed())).status).toBe(404)
      expect((await upload([{ ...file, text: 'x'.repeat(500_000) }, data(two.foreignIds.document_id)])).status).toBe(
        404,
      )
      const escaped = { name: 'data', text: data(two.foreignIds.document_id).text.replaceAll('-', '\\u002d') }
      expect((await upload([escaped, file])).status).toBe(404)
      silent()
    })

    it('is refused where two parsers would read two forms', async () => {
      const foreign = two.foreignIds.document_id
      const status = async (...given: Parameters<typeof upload>) => (await upload(...given)).status
      const hidden = `x\n--B\nContent-Disposition: form-data; name="data"\n\n{"original_document_id":"${foreign}"}\n--B--`
      expect(await status([{ ...file, text: hidden }], (text) => text.replaceAll('--B', text.split('\r\n')[0] ?? ''))).toBe(400)
      expect(await status([data(foreign), file], (text) => text.replace('name="data"', 'name="x"; name="data"'))).toBe(400)
      expect(await status([data(foreign), file], (text) => text.replace('name="data"', 'name="data"\r\nContent-Transfer-Encoding: base64'))).toBe(400)
      expect(await status([data(foreign), file], (text) => text.replace('name="data"', 'name="data"\r\nContent-Type: text/plain; charset=utf-16'))).toBe(400)
      expect(await status([{ name: 'data', text: `{"a":NaN,"original_document_id":"${foreign}"}` }, file])).toBe(400)
      expect(await status([{ name: 'data', text: `{"a":"${'x'.repeat(70_000)}"}` }, file])).toBe(413)
      expect(await status([file], (text) => text.slice(0, -20))).toBe(400)
      silent()
    }) // prettier-ignore

    it('that is in reach goes through byte for byte', async () => {
      const parts = [data(two.ownIds.document_id), { ...file, text: `--\r\n\r\n-- ${'ü\r\n'.repeat(40_000)}` }, { name: 'user', text: 'somebody' }]
      for (const list of [parts, parts.toReversed(), [file]]) {
        const form = toFormRequest(list)
        await two.send('POST', two.toPath('/api/keys/:key_id/datasets/:dataset_id/document/create-by-file', { key_id: own('key') }), form.payload, form.headers)
        expect(two.otherPlatform.requests.at(-1)?.body === form.payload).toBe(true)
      }
      expect(two.countPlatformCalls()).toEqual([0, 3])
      two.clearPlatformCalls()
    }) // prettier-ignore
  })
})

describe('ids', () => {
  it('are found in every form that PostgreSQL and Python read, and none in other text', () => {
    const id = '3f0e9a52-6b1f-4c53-9a52-0d9f3a1c7e01'
    const hex = id.replaceAll('-', '')
    for (const text of [id, id.toUpperCase(), hex, `{${id}}`, `urn:uuid:${id}`, ` ${id}\n`, hex.replace(/(.{4})/g, '$1-').slice(0, -1)])
      expect([text, toUuid(text)]).toEqual([text, id])
    for (const text of ['', 'x', `see ${id}`, `${id}0`, id.slice(1), 'g'.repeat(32), '-'.repeat(40)]) expect(toUuid(text)).toBeNull()
  }) // prettier-ignore

  it('are collected without recursion, from objects of any prototype', () => {
    const id = randomUUID()
    const query = Object.assign(Object.create({}) as object, { some: id })
    expect([...collectIds({ query })]).toEqual([[id, 'some']])
    const deep = JSON.parse(`${'[{"a":'.repeat(20_000)}"${id}"${'}]'.repeat(20_000)}`) as unknown
    expect([...collectIds({ body: deep })]).toEqual([[id, 'a']])
  })
})

describe('a console', () => {
  const bench = TestConsole.forFile(undefined, { RATE_LIMIT_FACTOR: '0.1' })

  it('counts requests with ids out of reach before it looks their ids up', async () => {
    const { cookie } = await createPerson(bench, 'operator', [])
    const body = { kind: 'mark', workspace: bench.workspace, name: 'planted' }
    const statuses = new Set<number>()
    for (let count = 0; count < 61; count++)
      statuses.add((await bench.fetch('POST', '/api/saved-items', body, { cookie })).status)
    expect([...statuses]).toEqual([404, 429])
  })

  it('refuses a request that names two hosts: a second Host header, an absolute address with another host', async () => {
    const { url } = bench
    const { host } = new URL(url)
    const status = async (...lines: string[]) => (await sendRawRequest(url, lines)).status
    expect(await status('GET /api/session HTTP/1.1', `host: ${host}`)).toBe(401)
    expect(await status(`GET http://${host}/api/session HTTP/1.1`, `Host: ${host}`)).toBe(401)
    expect(await status(`GET HTTP://${host}/healthz HTTP/1.1`, `Host: ${host}`)).toBe(200)
    for (const second of [host, 'evil.example', ''])
      expect(await status('GET /healthz HTTP/1.1', `host: ${host}`, `Host: ${second}`)).toBe(400)
    for (const target of ['http://evil.example/healthz', `http://evil.example@${host}.evil.example/healthz`, 'http://127.0.0.1:1/healthz', 'http:///healthz'])
      expect([target, await status(`GET ${target} HTTP/1.1`, `host: ${host}`)]).toEqual([target, 400])
    expect(await status(`GET http://evil.example/healthz HTTP/1.1`, 'host: evil.example')).toBe(421)
  }) // prettier-ignore
})

/** The reply to a request that is sent as these lines, over a connection of its own. */
function sendRawRequest(url: string, lines: readonly string[]): Promise<{ status: number; head: string }> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.write(`${[...lines, 'connection: close'].join('\r\n')}\r\n\r\n`)
    })
    socket.setEncoding('utf8').on('data', (part: string) => (text += part))
    socket.on('error', reject).on('close', () => {
      const [head = ''] = text.split('\r\n\r\n')
      resolve({ status: Number(head.split(' ')[1]), head })
    })
  })
}
