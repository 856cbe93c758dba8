import { describe, expect, it } from 'vitest'
import { setupPlatform } from '../datasets/platform.fixture.ts'
import { ClientSession } from './clientSession.testing.ts'
import { nodeSdk } from './nodeSdk.testing.ts'
import { pythonSdk } from './pythonSdk.testing.ts'

const platform = setupPlatform()

describe.each([
  ['the official Python library', pythonSdk],
  ['the official Node library', nodeSdk],
])('%s', (_, library) => {
  const session = new ClientSession(library, () => platform.base)

  it('makes its calls, each with the reply that it expects', async () => {
    for (const call of library.calls) {
      const reply = await session.call(call)
      expect([call.name, reply.status, reply.status === (call.status ?? 200) ? '' : reply.text]).toEqual([
        call.name,
        call.status ?? 200,
        '',
      ])
      session.save(call, reply)
    }
  })

  it('is told of operations that are not offered in a way that no client takes for a missing record', async () => {
    for (const call of library.notOffered) {
      const { body } = await session.call(call)
      expect([call.name, body]).toEqual([call.name, { code: 'not_found', message: 'Path not found.', status: 404 }])
    }
  })
})
