import { expect, it } from 'vitest'
import { listColumn, setupPlatform, UNKNOWN_ID, type OpenPlatform } from '../platform.fixture.ts'

const platform = setupPlatform()

const createTag = async (name: string) => String((await platform.send('POST', '/datasets/tags', { name })).body['id'])
const listTags = async () => (await platform.send('GET', '/datasets/tags')).body

it('tags are bound to datasets and taken off again, and the list is filtered by them', async () => {
  const [green, black] = [await createTag('green'), await createTag('black')]
  const [first, second] = [await platform.newDataset(), await platform.newDataset()]
  const bind = (target_id: string, tag_ids: string[]) =>
    platform.send('POST', '/datasets/tags/binding', { tag_ids, target_id })
  expect(await bind(first, [green, black])).toMatchObject({ status: 204, body: null })
  expect(await bind(first, [green])).toMatchObject({ status: 204 })
  await bind(second, [black])

  const { body } = await platform.send('GET', `/datasets/${first}`)
  expect(body['tags']).toEqual([
    { id: green, name: 'green', type: 'knowledge' },
    { id: black, name: 'black', type: 'knowledge' },
  ])
  expect((await platform.send('GET', `/datasets/${first}/tags`)).body).toEqual({
    data: [
      { id: green, name: 'green' },
      { id: black, name: 'black' },
    ],
    total: 2,
  })
  const count = async (id: string) =>
    ((await listTags()) as unknown as { id: string; binding_count: string }[]).find((tag) => tag.id === id)
      ?.binding_count
  expect([await count(green), await count(black)]).toEqual(['1', '2'])

  const listed = async (query: string) => (await platform.send('GET', `/datasets?${query}`)).body
  expect(listColumn((await listed(`tag_ids=${green}`))['data'], 'id')).toEqual([first])
  const both = await listed(`tag_ids=${green}&tag_ids=${black}`)
  expect(new Set(listColumn(both['data'], 'id'))).toEqual(new Set([first, second]))
  expect(both['total']).toBe(2)
  expect((await listed(`tag_ids=${UNKNOWN_ID}`))['total']).toBe(0)
  expect((await listed('tag_ids='))['total']).toBeGreaterThanOrEqual(2)

  const unbind = (body: Record<string, unknown>) => platform.send('POST', '/datasets/tags/unbinding', body)
  expect(await unbind({ tag_ids: [green], target_id: first })).toMatchObject({ status: 204 })
  // The form of older releases.
  expect(await unbind({ tag_id: black, target_id: first })).toMatchObject({ status: 204 })
  expect((await platform.send('GET', `/datasets/${first}`)).body['tags']).toEqual([])

  await platform.send('DELETE', `/datasets/${second}`)
  expect(await count(black)).toBe('0')
})

it('refuses names that are taken, empty or too long, and what does not exist', async () => {
  const tag_id = await createTag('once')
  const other = await createTag('other')
  const dataset = await platform.newDataset()
  const refused: [string, Parameters<OpenPlatform['send']>, number, string][] = [
    ['taken by another', ['PATCH', '/datasets/tags', { tag_id: other, name: 'once' }], 400, 'Tag name already exists'],
    ['empty', ['POST', '/datasets/tags', { name: ' ' }], 400, 'name'],
    ['too long', ['POST', '/datasets/tags', { name: 'x'.repeat(51) }], 400, 'name'],
    ['unknown, renamed', ['PATCH', '/datasets/tags', { tag_id: UNKNOWN_ID, name: 'x' }], 404, 'Tag not found'],
    ['no body', ['DELETE', '/datasets/tags'], 415, 'JSON'],
    [
      'unknown, bound',
      ['POST', '/datasets/tags/binding', { tag_ids: [tag_id, UNKNOWN_ID], target_id: dataset }],
      404,
      'Tag',
    ],
    ['of nothing', ['POST', '/datasets/tags/unbinding', { target_id: dataset }], 400, 'tag_ids'],
    ['of no dataset, read', ['GET', `/datasets/${UNKNOWN_ID}/tags`], 404, 'Dataset not found.'],
  ]
  for (const [name, request, status, message] of refused) {
    const reply = await platform.send(...request)
    expect([name, reply.status, reply.body['status']]).toEqual([name, status, status])
    expect([name, reply.body['message']]).toEqual([name, expect.stringMatching(new RegExp(message, 'i'))])
  }
  expect((await platform.send('GET', `/datasets/${dataset}`)).body['tags']).toEqual([])
})
