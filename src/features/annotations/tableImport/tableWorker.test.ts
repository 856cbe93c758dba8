import { expect, test, vi } from 'vitest'
import type { TableWorkerRequest, TableWorkerResponse } from './tableWorkerMessages.ts'
import { makeTurnField } from './columnMapping.ts'

const responses: TableWorkerResponse[] = []
vi.stubGlobal('postMessage', (response: TableWorkerResponse) => responses.push(response))
await import('./tableWorker.ts')

async function ask(request: TableWorkerRequest): Promise<TableWorkerResponse | undefined> {
  globalThis.onmessage?.call(globalThis as unknown as Window, new MessageEvent('message', { data: request }))
  await vi.waitUntil(() => responses.length > 0)
  return responses.pop()
}

const field = makeTurnField(1, 'Question')
const check = async (column: number) => {
  const mapping = { [field.variable]: { column } }
  const response = await ask({
    id: 2,
    kind: 'check',
    controls: [field],
    mapping,
    needsInput: false,
    duplicateCheck: null,
  })
  return response?.kind === 'checked' ? response.checked.revision : 0
}
const take = (revision: number) =>
  ask({ id: 3, kind: 'piece', from: 0, skipFaulty: false, skipDuplicates: false, revision })
const read = () => ask({ id: 1, kind: 'read', source: 'one,two\na,b\n', encoding: null, sheet: null })

test('rows are sent as the check has read them that the upload began with', async () => {
  await read()
  const first = await check(0)
  expect(await take(first)).toMatchObject({ kind: 'piece', json: expect.stringContaining('{') as string })
  const second = await check(1)
  expect(await take(first)).toMatchObject({ kind: 'failed', reason: expect.stringContaining('have changed') as string })
  expect(await take(second)).toMatchObject({ kind: 'piece' })
  await read()
  expect(await take(second)).toMatchObject({ kind: 'failed' })
})
