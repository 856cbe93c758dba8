import { verify } from '@node-rs/argon2'
import { expect, it } from 'vitest'
import { TestConsole } from '../../app.testing.ts'
import { LoginThrottle } from './loginThrottle.ts'
import { PasswordHasher } from './passwords.ts'
import { createPerson } from '../people.testing.ts'
import { SessionStore } from '../sessions.ts'
import { SignInService } from './signInService.ts'

const testConsole = TestConsole.forFile()
/** The cost of each comparison that was made, as its hash names it. */
const comparedCosts: string[] = []

it('a name that nobody has costs the same comparison as a wrong password, and so does one without a password', async () => {
  const { database } = testConsole
  const passwords = new PasswordHasher((hashed, password) => {
    comparedCosts.push(String(hashed).split('$').slice(0, 4).join('$'))
    return verify(hashed, password)
  })
  const signIns = new SignInService({
    database,
    sessions: new SessionStore(database.pool),
    passwords,
    loginThrottle: new LoginThrottle(database.pool, () => Promise.resolve()),
    setupToken: undefined,
    providerName: null,
    pauseBatches: () => Promise.resolve([]),
    proxyRole: 'viewer',
  })
  const [known, disabled, without] = await Promise.all(
    ['viewer', 'operator', 'viewer'].map((role) => createPerson(testConsole, role === 'operator' ? role : 'viewer')),
  )
  const hashed = await passwords.hash('the one that is right')
  await database.pool.query('UPDATE people SET password = $2 WHERE id = ANY($1)', [[known?.id, disabled?.id], hashed])
  await database.pool.query('UPDATE people SET disabled_at = now() WHERE id = $1', [disabled?.id])
  const costs: string[][] = []
  for (const name of [known?.name, 'Nobody At All', without?.name, disabled?.name].map(String)) {
    comparedCosts.length = 0
    await expect(
      signIns.signInByPassword({ name, password: 'not the one at all' }, { address: '192.0.2.1', agent: null }),
    ).rejects.toThrow('The name or password is wrong.')
    costs.push([...comparedCosts])
  }
  expect(costs).toEqual(Array(4).fill(['$argon2id$v=19$m=19456,t=2,p=1']))
})
