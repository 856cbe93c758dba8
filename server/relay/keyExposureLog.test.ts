import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AuditEvent, Member } from '#contract/console/people.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { listEncodings } from '#support/keyEncodings.ts'
import { toMessageBlock, createAnswerIds, openStream, sendError } from '#support/platforms/scriptedPlatform.ts'
import { createPerson } from '../auth/people.testing.ts'
import { TestConsole, readFrames } from '../app.testing.ts'
import type { PlatformCredential } from '../vault/vault.ts'
import { KeyExposureLog } from './keyExposureLog.ts'
import { REDACTED } from '../vault/keyRedaction.ts'

/** The right letters after the prefix and before the hint are among them. */
const GUESSED_LETTERS = 'BAS2k9'
const HEX_DIGITS = '0123456789abcdef'
const SECRET = 'app-Bx9sRyKy5wS6Wn6D2hSA5ifk'

const testConsole = TestConsole.forFile(undefined, { RATE_LIMIT_FACTOR: '100' })
let key: Key
beforeEach(async () => {
  testConsole.platform.script = (_seen, response) =>
    sendError(response, 404, { code: 'not_found', message: 'no script' })
  const body = { kind: 'chat', label: 'Lamp', key: SECRET }
  key = await testConsole.json<Key>('POST', `/api/workspaces/${testConsole.workspace}/keys`, body)
})

const sendQuery = async (cookie: string, query: string, response_mode = 'streaming') => {
  const path = `/api/keys/${key.id}/chat-messages`
  const response = await testConsole.fetch('POST', path, { query, user: 'u', inputs: {}, response_mode }, { cookie })
  return response.text()
}
const listExposureEntries = async () => {
  const data = await testConsole.list<AuditEvent>(`/api/audit?action=key.exposed&about=${key.id}`)
  return data.reverse()
}
const readKey = () => testConsole.readKey(key.id)
/** A platform that repeats the question, in two frames or whole. */
const repeatQuestions = () =>
  (testConsole.platform.script = ({ body }, response) => {
    if (body === '') return sendError(response, 404, { code: 'not_found', message: 'no such thing' })
    const { query, response_mode } = JSON.parse(body) as { query: string; response_mode: string }
    const ids = createAnswerIds()
    if (response_mode === 'blocking') return sendError(response, 200, { event: 'message', ...ids, answer: query })
    openStream(response)
    response.write(toMessageBlock(ids, 'You said: '))
    response.end(toMessageBlock(ids, query))
  })

describe('an operator who lets an app repeat guesses', () => {
  it('reads no letter of the key out of the answers, in any form, and is never noticed as one who did', async () => {
    const operator = await createPerson(testConsole, 'operator', [[testConsole.workspace, key.id]])
    repeatQuestions()
    const found: string[] = []
    // Each form is guessed from the public prefix.
    const guesses = Object.keys(listEncodings('app-')).flatMap((name) =>
      [...(name.startsWith('hex') ? HEX_DIGITS : GUESSED_LETTERS)].map((letter) => {
        if (name.startsWith('hex')) return `x ${listEncodings('app-')[name] ?? ''}${letter}`
        return `x ${listEncodings(`app-${letter}`)[name] ?? ''}`
      }),
    )
    for (const [at, guess] of guesses.entries()) {
      const text = await sendQuery(operator.cookie, guess, at % 2 === 0 ? 'streaming' : 'blocking')
      const isAsAsked = text.includes(JSON.stringify(guess).slice(1, -1)) && !text.includes(REDACTED)
      if (!isAsAsked) found.push(guess)
      if (at % 2 === 0 && readFrames(text).frames.length !== 2) found.push(`${guess} came in other frames`)
    }
    expect(found).toEqual([])
    expect(guesses.length).toBeGreaterThan(90)
    expect(await listExposureEntries()).toEqual([])
    expect(await readKey()).toMatchObject({ exposed_at: null })
  }, 120_000)
})

describe('an answer that holds the key', () => {
  it('is in the audit log with the person, at the key and at the person, until the key is replaced', async () => {
    const operator = await createPerson(testConsole, 'operator')
    repeatQuestions()
    expect(await sendQuery(operator.cookie, `is it ${SECRET}?`)).toContain(`is it ${REDACTED}?`)
    await expect.poll(listExposureEntries).toHaveLength(1)
    const runs = await testConsole.list<{ id: string }>(`/api/runs?key=${key.id}`)
    expect(await listExposureEntries()).toMatchObject([
      {
        action: 'key.exposed',
        person: operator.name,
        workspace: testConsole.workspace,
        label: 'Lamp',
        detail: { call: runs[0]?.id, calls: 1 },
      },
    ])
    const people = await testConsole.list<Member>('/api/people')
    expect(people.find(({ id }) => id === operator.id)).toMatchObject({ key_exposures: 1 })
    expect(people.find(({ name }) => name === 'admin')).toMatchObject({ key_exposures: 0 })
    expect(Date.parse((await readKey())?.exposed_at ?? '')).toBeGreaterThan(Date.now() - 60_000)

    const at = `/api/workspaces/${testConsole.workspace}/keys/${key.id}`
    for (const change of [{ label: 'Lantern' }, { key: SECRET }]) {
      await testConsole.json('PATCH', at, change)
      expect([change, (await readKey())?.exposed_at]).toEqual([change, expect.any(String)])
    }
    await testConsole.json('PATCH', at, { key: `${SECRET.slice(0, -1)}Z` })
    expect((await readKey())?.exposed_at).toBeNull()
  })

  it('is noticed in a stream, a reply, a refusal and a header, and where it shows a part that is long enough', async () => {
    const cases: [string, (response: Parameters<typeof sendError>[0]) => void][] = [
      ['a reply', (response) => sendError(response, 200, { answer: SECRET })],
      ['a refusal', (response) => sendError(response, 400, { message: SECRET })],
      ['a header', (response) => sendError(response, 200, { answer: 'fine' }, { 'x-version': SECRET })],
      ['a part', (response) => sendError(response, 200, { answer: SECRET.slice(0, 17) })],
    ]
    for (const [name, script] of cases) {
      const operator = await createPerson(testConsole, 'operator')
      testConsole.platform.script = (_seen, response) => script(response)
      const text = await sendQuery(operator.cookie, 'Why?', 'blocking')
      expect([name, text.includes(SECRET.slice(0, 17))]).toEqual([name, false])
      await expect.poll(async () => (await listExposureEntries()).map(({ person }) => person)).toContain(operator.name)
    }
    const reader = await createPerson(testConsole, 'viewer')
    testConsole.platform.script = (_seen, response) => sendError(response, 200, { opening_statement: SECRET })
    await testConsole.fetch('GET', `/api/keys/${key.id}/parameters`, undefined, { cookie: reader.cookie })
    await expect.poll(async () => (await listExposureEntries()).map(({ person }) => person)).toContain(reader.name)
  })

  it('is one audit entry a minute for a person and a key, which counts the calls', async () => {
    const { id } = await createPerson(testConsole, 'operator')
    const { database, console } = testConsole
    const log = new KeyExposureLog({ database, vault: console.vault, log: { error: () => undefined } })
    const credential: PlatformCredential = await console.vault.getCredential(key.id)
    const calls = Array.from({ length: 50 }, () => randomUUID())
    for (const call_id of [...calls, ...calls]) log.report({ credential, person_id: id, call_id })
    await log.whenIdle()
    expect((await listExposureEntries()).map(({ detail }) => detail)).toEqual([
      { call: calls[0], calls: 1 },
      { call: calls[49], calls: 49 },
    ])
    const { rows } = await database.pool.query('SELECT key_exposures FROM people WHERE id = $1', [id])
    expect(rows).toEqual([{ key_exposures: 50 }])
  })

  it('says nothing of a key that has been replaced since', async () => {
    const { database, console } = testConsole
    const log = new KeyExposureLog({ database, vault: console.vault, log: { error: () => undefined } })
    const old = await console.vault.getCredential(key.id)
    await testConsole.json('PATCH', `/api/workspaces/${testConsole.workspace}/keys/${key.id}`, {
      key: `${SECRET.slice(0, -1)}Z`,
    })
    log.report({ credential: old, person_id: null, call_id: randomUUID() })
    await log.whenIdle()
    expect(await listExposureEntries()).toHaveLength(1)
    expect(await readKey()).toMatchObject({ exposed_at: null })
  })

  it('that holds no key of the console is nobody’s matter', async () => {
    const before = testConsole.platform.requests.length
    testConsole.platform.script = (_seen, response) =>
      sendError(response, 401, { code: 'unauthorized', message: SECRET })
    await testConsole.json('POST', '/api/platform-detection', { base_url: testConsole.platform.url, keys: [SECRET] })
    expect(testConsole.platform.requests.length).toBeGreaterThan(before)
    expect(await listExposureEntries()).toEqual([])
  })
})
