import { expect, test } from 'vitest'
import type { TableCall, TableCheck } from './tableWorker.ts'
import { makeTurnField } from './columnMapping.ts'
import './tableWorker.ts'

function call(name: TableCall['name'], options: unknown): Promise<{ value: unknown } | { error: Error }> {
  const { port1, port2 } = new MessageChannel()
  const data: TableCall = { name, options, port: port2 }
  globalThis.onmessage?.call(globalThis as unknown as Window, new MessageEvent('message', { data }))
  return new Promise((resolve) => {
    port1.onmessage = (event: MessageEvent<{ value: unknown } | { error: Error }>) => {
      port1.close()
      resolve(event.data)
    }
  })
}

const field = makeTurnField(1, 'Question')
const check = async (column: number) => {
  const mapping = { [field.variable]: { column } }
  const response = await call('check', { controls: [field], mapping, needsInput: false, duplicateCheck: null })
  return 'value' in response ? (response.value as TableCheck).revision : 0
}
const take = (revision: number) => call('takeRows', { from: 0, skipFaulty: false, skipDuplicates: false, revision })
const read = () => call('read', { data: 'one,two\na,b\n', encoding: null, sheet: null })

test('rows are sent as the check has read them that the upload began with', async () => {
  await read()
  const first = await check(0)
  expect(await take(first)).toMatchObject({ value: expect.stringContaining('{') as string })
  const second = await check(1)
  expect(await take(first)).toMatchObject({ error: { message: expect.stringContaining('have changed') as string } })
  expect(await take(second)).toMatchObject({ value: expect.any(String) as string })
  await read()
  expect(await take(second)).toMatchObject({ error: expect.any(Error) as Error })
})
