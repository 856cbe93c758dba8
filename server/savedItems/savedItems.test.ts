import { expect, it } from 'vitest'
import type { SavedItem } from '#contract/console/savedItems.ts'
import { TestConsole } from '../app.testing.ts'

const testConsole = TestConsole.forFile()

const createBoard = () =>
  testConsole.json<SavedItem>('POST', '/api/saved-items', {
    kind: 'board',
    workspace: testConsole.workspace,
    name: 'Board',
    value: { cells: [] },
  })
const change = (id: string, body: object) => testConsole.fetch('PATCH', `/api/saved-items/${id}`, body)
const read = (id: string) => testConsole.json<SavedItem>('GET', `/api/saved-items/${id}`)

it('a value is written only while nobody has changed the item after it was read', async () => {
  const { id, updated_at: read_at } = await createBoard()
  expect((await change(id, { value: { cells: ['a'] }, read_at })).status).toBe(200)
  const late = await change(id, { value: { cells: ['b'] }, read_at })
  expect([late.status, await late.json()]).toMatchObject([409, { message: expect.stringMatching(/read_at/) as string }])
  const { value, updated_at } = await read(id)
  expect(value).toEqual({ cells: ['a'] })
  expect((await change(id, { value: { cells: ['a', 'b'] }, read_at: updated_at })).status).toBe(200)
})

it('a new name leaves the value as it is by then, and a new value the name', async () => {
  const { id } = await createBoard()
  await Promise.all([
    ...Array.from({ length: 5 }, (_, index) => change(id, { name: `Name ${index}` })),
    change(id, { value: { cells: ['kept'] } }),
    ...Array.from({ length: 5 }, (_, index) => change(id, { name: `Last ${index}` })),
  ])
  expect((await read(id)).value).toEqual({ cells: ['kept'] })
  await change(id, { name: 'Renamed' })
  await change(id, { value: null })
  expect(await read(id)).toMatchObject({ name: 'Renamed', value: null })
})
