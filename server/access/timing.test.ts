import { verify } from '@node-rs/argon2'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Bench } from '../app.testing.ts'
import { Attempts } from './attempts.ts'
import { Passwords } from './passwords.ts'
import { newPerson } from './people.testing.ts'
import { Sessions } from './sessions.ts'
import { SignIns } from './sign-ins.ts'

let bench: Bench
/** The cost of each comparison that was made, as its hash names it. */
const compared: string[] = []
beforeAll(async () => {
  bench = await Bench.start()
})
afterAll(() => bench.remove())

it('a name that nobody has costs the same comparison as a wrong password, and so does one without a password', async () => {
  const { database } = bench
  const passwords = new Passwords((hashed, password) => {
    compared.push(String(hashed).split('$').slice(0, 4).join('$'))
    return verify(hashed, password)
  })
  const signIns = new SignIns({
    database,
    sessions: new Sessions(database.pool),
    passwords,
    attempts: new Attempts(database.pool, () => Promise.resolve()),
    setup: undefined,
    provider: null,
    proxyRole: 'viewer',
  })
  const [known, disabled, without] = await Promise.all(
    ['viewer', 'operator', 'viewer'].map((role) => newPerson(bench, role === 'operator' ? role : 'viewer')),
  )
  const hashed = await passwords.hash('the one that is right')
  await database.pool.query('UPDATE people SET password = $2 WHERE id = ANY($1)', [[known?.id, disabled?.id], hashed])
  await database.pool.query('UPDATE people SET disabled_at = now() WHERE id = $1', [disabled?.id])
  const costs: string[][] = []
  for (const name of [known?.name, 'Nobody At All', without?.name, disabled?.name].map(String)) {
    compared.length = 0
    await expect(
      signIns.byPassword({ name, password: 'not the one at all' }, { address: '192.0.2.1', agent: null }),
    ).rejects.toThrow('The name or the password is not right.')
    costs.push([...compared])
  }
  expect(costs).toEqual(Array(4).fill(['$argon2id$v=19$m=19456,t=2,p=1']))
})
