import { randomUUID } from 'node:crypto'
import type { Role } from '#contract/permissions.ts'
import type { TestConsole } from '../app.testing.ts'

/** Sends requests past the network; each comes from an address of its own, unless it names one. */
export function createSender(testConsole: TestConsole) {
  let address = 0
  return async (
    method: string,
    url: string,
    payload?: object,
    headers: Record<string, string> = {},
    remoteAddress = `10.9.${++address}.1`,
  ) => {
    const response = await testConsole.console.app.inject({
      method: method as 'GET',
      url,
      remoteAddress,
      headers: { host: 'localhost', 'x-console': '1', ...headers },
      ...(payload && { payload }),
    })
    const cookie = response.cookies[0] ? `${response.cookies[0].name}=${response.cookies[0].value}` : ''
    const { statusCode: status, body } = response
    return { status, cookie, headers: response.headers, body, json: <T>() => JSON.parse(body) as T }
  }
}

/** Creates a signed-in person with these grants (none given: sees all). `begin` returns a new cookie each time. */
export async function createPerson(
  testConsole: TestConsole,
  role: Role,
  grants?: readonly (readonly [string, string | null])[],
) {
  const id = randomUUID()
  const name = `${role}-${id.slice(0, 8)}`
  const { pool } = testConsole.database
  await pool.query(
    `INSERT INTO people(id, name, role, default_user, narrowed, created_at) VALUES ($1, $2, $3, $2, $4, now())`,
    [id, name, role, grants !== undefined],
  )
  for (const [workspace, key] of grants ?? [])
    await pool.query('INSERT INTO grants(id, person_id, workspace_id, key_id) VALUES ($1, $2, $3, $4)', [
      randomUUID(),
      id,
      workspace,
      key,
    ])
  const begin = async () => `loupe_session=${await testConsole.console.sessions.create(pool, id, { via: 'password' })}`
  return { id, name, begin, cookie: await begin() }
}
