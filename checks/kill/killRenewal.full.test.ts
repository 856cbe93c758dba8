import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { addAppKeys, createPreparedLoupe, signIn } from './consoleClient.ts'

/** A renewal of the master key takes about 50 ms; a later kill meets the moments after it. */
const MAX_RENEWAL_MS = 80
const MAX_KILLS = 8

it('a Loupe that is killed while it renews its master key can open every platform key after its next start', async () => {
  const loupe = await createPreparedLoupe({ PLATFORM: 'off' })
  try {
    await loupe.start()
    const { send } = await signIn(loupe)
    await addAppKeys(send, 'http://127.0.0.1:1')
    for (let kill = 0; kill < MAX_KILLS; kill++) {
      const renewal = send('POST', '/api/vault/renew').catch(() => undefined)
      await wait((kill / MAX_KILLS) * MAX_RENEWAL_MS)
      await loupe.kill()
      await renewal
      await loupe.start()
      const { data } = await send<{ data: { keys: { usable: boolean }[] }[] }>('GET', '/api/workspaces')
      expect(data.flatMap(({ keys }) => keys.map(({ usable }) => usable))).toEqual([true, true, true])
    }
    // It is refused while one of the keys does not open.
    expect(await send('POST', '/api/vault/renew')).toEqual({ sealed: 3 })
  } finally {
    await loupe.remove()
  }
})
