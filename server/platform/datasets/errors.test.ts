import type { InjectOptions } from 'fastify'
import { describe, expect, it } from 'vitest'
import { setupPlatform } from './platform.fixture.ts'

const platform = setupPlatform()

const sendRaw = async (options: InjectOptions) => {
  const reply = await platform.app.inject(options)
  return { status: reply.statusCode, headers: reply.headers, body: JSON.parse(reply.body) as Record<string, unknown> }
}
const key = { authorization: 'Bearer key-knowledge' }
const json = { ...key, 'content-type': 'application/json' }

describe('keys', () => {
  it.each([
    ['no scheme', 'key-knowledge'],
    ['a key that begins like the right one', 'Bearer key-knowledg'],
    ['an empty key', 'Bearer '],
  ])('refuses %s with 401', async (_, authorization) => {
    const { status, body, headers } = await sendRaw({
      method: 'GET',
      url: '/v1/datasets',
      headers: { authorization },
    })
    expect([status, body['code'], body['status']]).toEqual([401, 'unauthorized', 401])
    expect(headers['www-authenticate']).toBe('Bearer realm="api"')
    expect(headers['x-version']).toBe('0.0.0')
  })

  it('takes the scheme in any case', async () => {
    const { status } = await sendRaw({
      method: 'GET',
      url: '/v1/datasets',
      headers: { authorization: 'bEARER key-knowledge' },
    })
    expect(status).toBe(200)
  })

  it('refuses before the body is read', async () => {
    const { status } = await sendRaw({
      method: 'POST',
      url: '/v1/datasets',
      headers: { 'content-type': 'application/json' },
      payload: '{',
    })
    expect(status).toBe(401)
  })
})

describe('requests that are none', () => {
  it.each([
    ['an empty body', '', 'bad_request', 400],
    ['a body with a prototype', '{"__proto__":{"x":1},"name":"a"}', 'bad_request', 400],
    ['JSON that is nested too deep', `{"name":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 'bad_request', 400],
  ])('refuses %s', async (_, payload, code, status) => {
    const reply = await sendRaw({ method: 'POST', url: '/v1/datasets', headers: json, payload })
    expect(reply.body).toMatchObject({ code, status })
    expect(reply.status).toBe(status)
  })

  it('refuses too much with 413', async () => {
    const big = await sendRaw({
      method: 'POST',
      url: '/v1/datasets',
      headers: json,
      payload: `"${'x'.repeat(33 * 1024 * 1024)}"`,
    })
    expect(big.body).toMatchObject({ code: 'request_entity_too_large', status: 413 })
  })

  it('tells a wrong path from a wrong method', async () => {
    expect((await sendRaw({ method: 'GET', url: '/v1/nothing', headers: key })).body).toMatchObject({
      code: 'not_found',
    })
    const method = await sendRaw({ method: 'PUT', url: '/v1/datasets?x=1', headers: key })
    expect(method.body).toMatchObject({ code: 'method_not_allowed', status: 405 })
    for (const url of ['/v1/datasets/..%2f..%2fetc', '/v1/datasets/%00', "/v1/datasets/'or'1"])
      expect((await sendRaw({ method: 'GET', url, headers: key })).status).toBe(404)
    expect((await sendRaw({ method: 'GET', url: '/v1/datasets/%E0%A4%A', headers: key })).status).toBe(400)
  })

  it('keeps text that PostgreSQL cannot store out of it', async () => {
    const { status, body } = await platform.send('POST', '/datasets', {
      name: 'nul \u0000 and \ud800 half',
      retrieval_model: { search_method: 'keyword_search', note: '\u0000\udfff' },
    })
    expect([status, body['name']]).toEqual([200, 'nul  and \ufffd half'])
  })

  it('says who it is, without a key', async () => {
    expect((await sendRaw({ method: 'GET', url: '/v1/' })).body).toMatchObject({ server_version: '0.0.0' })
  })
})

describe('a fault of the server', () => {
  it('is a 500 that says nothing of its cause', async () => {
    const { pool } = platform.database
    await pool.query('ALTER TABLE platform.datasets RENAME TO hidden')
    const { status, body } = await platform.send('GET', '/datasets')
    await pool.query('ALTER TABLE platform.hidden RENAME TO datasets')
    expect([status, body['code']]).toEqual([500, 'internal_server_error'])
    expect(body['message']).not.toMatch(/relation|platform\.datasets/)
  })
})
