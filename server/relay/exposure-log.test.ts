import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AuditEvent, Member } from '#contract/access.ts'
import type { Key, Workspace } from '#contract/console.ts'
import { encodings } from '../../e2e/encodings.ts'
import { message, newIds, openStream, refuse } from '../../e2e/faults/platform.ts'
import { newPerson } from '../access/people.testing.ts'
import { Bench, readFrames } from '../app.testing.ts'
import type { Credential } from '../vault/vault.ts'
import { ExposureLog } from './exposure-log.ts'
import { REDACTED } from './redact.ts'

/** The right letters after the prefix and before the hint are among them. */
const LETTERS = 'BAS2k9'
const HEX = '0123456789abcdef'
const VALUE = 'app-Bx9sRyKy5wS6Wn6D2hSA5ifk'

let bench: Bench
let key: Key
beforeAll(async () => {
  bench = await Bench.start(undefined, { RATE_LIMIT_FACTOR: '100' })
})
afterAll(() => bench.remove())
beforeEach(async () => {
  bench.platform.script = (_seen, response) => refuse(response, 404, { code: 'not_found', message: 'no script' })
  const body = { kind: 'chat', label: 'Lamp', key: VALUE }
  key = await bench.json<Key>('POST', `/api/workspaces/${bench.workspace}/keys`, body)
})

const ask = async (cookie: string, query: string, response_mode = 'streaming') => {
  const path = `/api/keys/${key.id}/chat-messages`
  const response = await bench.fetch('POST', path, { query, user: 'u', inputs: {}, response_mode }, { cookie })
  return response.text()
}
const exposures = async () => {
  const { data } = await bench.json<{ data: AuditEvent[] }>('GET', `/api/audit?action=key.exposed&about=${key.id}`)
  return data.reverse()
}
const shownKey = async () => {
  const { data } = await bench.json<{ data: Workspace[] }>('GET', '/api/workspaces')
  return data.flatMap(({ keys }) => keys).find(({ id }) => id === key.id)
}
/** A platform that repeats the question, in two frames or whole. */
const repeatQuestions = () =>
  (bench.platform.script = ({ body }, response) => {
    if (body === '') return refuse(response, 404, { code: 'not_found', message: 'no such thing' })
    const { query, response_mode } = JSON.parse(body) as { query: string; response_mode: string }
    const ids = newIds()
    if (response_mode === 'blocking') return refuse(response, 200, { event: 'message', ...ids, answer: query })
    openStream(response)
    response.write(message(ids, 'You said: '))
    response.end(message(ids, query))
  })

describe('an operator who lets an app repeat guesses', () => {
  it('reads no letter of the key out of the answers, in any form, and is never noticed as one who did', async () => {
    const operator = await newPerson(bench, 'operator', [[bench.workspace, key.id]])
    repeatQuestions()
    const found: string[] = []
    // Each form is guessed from what is public: the prefix, or the hint.
    const guesses = Object.keys(encodings('app-')).flatMap((name) =>
      [...(name.startsWith('hex') ? HEX : LETTERS)].map((letter) => {
        if (name === 'reversed') return `x ${[...`${letter}${key.hint}`].reverse().join('')}`
        if (name.startsWith('hex')) return `x ${encodings('app-')[name] ?? ''}${letter}`
        return `x ${encodings(`app-${letter}`)[name] ?? ''}`
      }),
    )
    for (const [at, guess] of guesses.entries()) {
      const text = await ask(operator.cookie, guess, at % 2 === 0 ? 'streaming' : 'blocking')
      const isAsAsked = text.includes(JSON.stringify(guess).slice(1, -1)) && !text.includes(REDACTED)
      if (!isAsAsked) found.push(guess)
      if (at % 2 === 0 && readFrames(text).frames.length !== 2) found.push(`${guess} came in other frames`)
    }
    expect(found).toEqual([])
    expect(guesses.length).toBeGreaterThan(100)
    expect(await exposures()).toEqual([])
    expect(await shownKey()).toMatchObject({ exposed_at: null })
  }, 120_000)
})

describe('an answer that holds the key', () => {
  it('is in the audit log with the person, at the key and at the person, until the key is replaced', async () => {
    const operator = await newPerson(bench, 'operator')
    repeatQuestions()
    expect(await ask(operator.cookie, `is it ${VALUE}?`)).toContain(`is it ${REDACTED}?`)
    await expect.poll(exposures).toHaveLength(1)
    const { data: runs } = await bench.json<{ data: { id: string }[] }>('GET', `/api/runs?key=${key.id}`)
    expect(await exposures()).toMatchObject([
      {
        action: 'key.exposed',
        person: operator.name,
        workspace: bench.workspace,
        label: 'Lamp',
        detail: { call: runs[0]?.id, calls: 1 },
      },
    ])
    const { data: people } = await bench.json<{ data: Member[] }>('GET', '/api/people')
    expect(people.find(({ id }) => id === operator.id)).toMatchObject({ key_exposures: 1 })
    expect(people.find(({ name }) => name === 'admin')).toMatchObject({ key_exposures: 0 })
    expect(Date.parse((await shownKey())?.exposed_at ?? '')).toBeGreaterThan(Date.now() - 60_000)

    const at = `/api/workspaces/${bench.workspace}/keys/${key.id}`
    for (const change of [{ label: 'Lantern' }, { key: VALUE }]) {
      await bench.json('PATCH', at, change)
      expect([change, (await shownKey())?.exposed_at]).toEqual([change, expect.any(String)])
    }
    await bench.json('PATCH', at, { key: `${VALUE.slice(0, -1)}Z` })
    expect((await shownKey())?.exposed_at).toBeNull()
  })

  it('is noticed in a stream, a reply, a refusal and a header, and where it shows a part that is long enough', async () => {
    const cases: [string, (response: Parameters<typeof refuse>[0]) => void][] = [
      ['a reply', (response) => refuse(response, 200, { answer: VALUE })],
      ['a refusal', (response) => refuse(response, 400, { message: VALUE })],
      ['a header', (response) => refuse(response, 200, { answer: 'fine' }, { 'x-version': VALUE })],
      ['a part', (response) => refuse(response, 200, { answer: VALUE.slice(0, 17) })],
    ]
    for (const [name, script] of cases) {
      const operator = await newPerson(bench, 'operator')
      bench.platform.script = (_seen, response) => script(response)
      const text = await ask(operator.cookie, 'Why?', 'blocking')
      expect([name, text.includes(VALUE.slice(0, 17))]).toEqual([name, false])
      await expect.poll(async () => (await exposures()).map(({ person }) => person)).toContain(operator.name)
    }
    const reader = await newPerson(bench, 'viewer')
    bench.platform.script = (_seen, response) => refuse(response, 200, { opening_statement: VALUE })
    await bench.fetch('GET', `/api/keys/${key.id}/parameters`, undefined, { cookie: reader.cookie })
    await expect.poll(async () => (await exposures()).map(({ person }) => person)).toContain(reader.name)
  })

  it('is one audit entry a minute for a person and a key, which counts the calls', async () => {
    const { id } = await newPerson(bench, 'operator')
    const { database, console } = bench
    const log = new ExposureLog({ database, vault: console.vault, log: { error: () => undefined } })
    const credential: Credential = await console.vault.credential(key.id)
    const calls = Array.from({ length: 50 }, () => randomUUID())
    for (const call_id of [...calls, ...calls]) log.report({ credential, person_id: id, call_id })
    await log.settled()
    expect((await exposures()).map(({ detail }) => detail)).toEqual([
      { call: calls[0], calls: 1 },
      { call: calls[49], calls: 49 },
    ])
    const { rows } = await database.pool.query('SELECT key_exposures FROM people WHERE id = $1', [id])
    expect(rows).toEqual([{ key_exposures: 50 }])
  })

  it('says nothing of a key that has been replaced since', async () => {
    const { database, console } = bench
    const log = new ExposureLog({ database, vault: console.vault, log: { error: () => undefined } })
    const old = await console.vault.credential(key.id)
    await bench.json('PATCH', `/api/workspaces/${bench.workspace}/keys/${key.id}`, { key: `${VALUE.slice(0, -1)}Z` })
    log.report({ credential: old, person_id: null, call_id: randomUUID() })
    await log.settled()
    expect(await exposures()).toHaveLength(1)
    expect(await shownKey()).toMatchObject({ exposed_at: null })
  })

  it('that holds no key of the console is nobody’s matter', async () => {
    const before = bench.platform.seen.length
    bench.platform.script = (_seen, response) => refuse(response, 401, { code: 'unauthorized', message: VALUE })
    await bench.json('POST', '/api/inquiry', { base_url: bench.platform.url, keys: [VALUE] })
    expect(bench.platform.seen.length).toBeGreaterThan(before)
    expect(await exposures()).toEqual([])
  })
})
