import { expect, it } from 'vitest'
import { TestConsole } from '../../app.testing.ts'
import { LoginThrottle, toNetworkPrefix } from './loginThrottle.ts'

const SETUP_TOKEN = 'setup-token-of-the-tests'

const bench = TestConsole.forFile()

const signIn = async (token: string, remoteAddress: string) => {
  const { statusCode, headers } = await bench.console.app.inject({
    method: 'POST',
    url: '/api/session',
    remoteAddress,
    headers: { host: 'localhost', 'x-console': '1' },
    payload: { token },
  })
  return { status: statusCode, wait: Number(headers['retry-after']) }
}

it('an account is slowed down, and not shut out, by strangers all over the world', async () => {
  const waits: number[] = []
  const attempts = new LoginThrottle(bench.database.pool, async (ms) => waits.push(ms))
  for (let net = 0; net < 30; net++) await attempts.countAttempt('Zoe', `203.0.${net}.9`)
  expect(waits).toHaveLength(10)
  expect(waits.every((wait, index) => wait > (waits[index - 1] ?? 0) && wait <= 4000)).toBe(true)
  expect([
    toNetworkPrefix('10.1.2.3'),
    toNetworkPrefix('::ffff:10.1.2.3'),
    toNetworkPrefix('2001:db8:1:2:3::4'),
  ]).toEqual(['10.1.2', '10.1.2', '2001:db8:1:2'])
})

it('wrong tokens and used links lock their network, also against the right token, and a restart forgives nothing', async () => {
  const link = (await bench.console.createLink()) ?? ''
  expect((await signIn(link, '10.60.1.1')).status).toBe(200)
  // Each from an address of its own, which has used up none of its sign-ins a minute.
  for (let host = 1; host <= 5; host++)
    expect((await signIn(host % 2 ? link : `wrong-${host}`, `10.61.1.${host}`)).status).toBe(401)
  const locked = await signIn('wrong', '10.61.1.6')
  expect(locked.status).toBe(429)
  expect(locked.wait).toBeGreaterThan(800)
  expect((await signIn(SETUP_TOKEN, '10.61.1.7')).status).toBe(429)
  expect((await signIn((await bench.console.createLink()) ?? '', '10.61.1.8')).status).toBe(429)
  expect((await signIn(SETUP_TOKEN, '10.62.1.1')).status, 'another network').toBe(200)
  await bench.restart()
  expect((await signIn(SETUP_TOKEN, '10.61.1.9')).status).toBe(429)
})

it('tokens are slowed down as a whole when wrong ones come from everywhere, by a count of their own', async () => {
  const { pool } = bench.database
  await pool.query('DELETE FROM login_attempts')
  for (let net = 0; net < 3; net++) await signIn('wrong', `10.63.${net}.1`)
  const { rows } = await pool.query<{ failures: number }>('SELECT failures FROM login_attempts ORDER BY failures DESC')
  expect(rows.map(({ failures }) => failures)).toEqual([3, 1, 1, 1])
  // A name that looks like it is not the count of the tokens.
  const attempts = new LoginThrottle(pool)
  for (const name of ['token', '\ntoken', ' \ntoken ']) await attempts.countAttempt(name, '10.63.0.1')
  const { rows: after } = await pool.query<{ failures: number }>(
    'SELECT failures FROM login_attempts ORDER BY failures DESC',
  )
  expect(after.filter(({ failures }) => failures === 3)).toHaveLength(3)
})

it('the right SETUP_TOKEN is no attempt, however many scripts sign in at once', async () => {
  const responses = await Promise.all(Array.from({ length: 9 }, () => signIn(SETUP_TOKEN, '10.64.1.1')))
  expect(responses.map(({ status }) => status)).toEqual(Array(9).fill(200))
})

it('are deleted when they count for nothing any more', async () => {
  const { pool } = bench.database
  await pool.query('DELETE FROM login_attempts')
  await pool.query(
    `INSERT INTO login_attempts(about, failures, first_at, locked_until) VALUES
       ('old', 3, now() - interval '16 minutes', NULL),
       ('was locked', 5, now() - interval '40 minutes', now() - interval '1 minute'),
       ('is locked', 5, now() - interval '20 minutes', now() + interval '5 minutes'),
       ('young', 1, now() - interval '14 minutes', NULL)`,
  )
  await new LoginThrottle(pool).countAttempt('Ida', '10.65.1.1')
  const { rows } = await pool.query<{ about: string }>('SELECT about FROM login_attempts')
  const left = rows.map(({ about }) => about)
  expect(left).toEqual(expect.arrayContaining(['is locked', 'young']))
  expect(left).not.toContain('old')
  expect(left).not.toContain('was locked')
})
