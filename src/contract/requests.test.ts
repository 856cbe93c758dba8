import { describe, expect, test } from 'vitest'
import type { Endpoint } from './endpoint.ts'
import { contract } from './index.ts'
import { bodySchema, platformEntryList, SAMPLE_ID, findRefusedFields, makeSamples } from './samples.testing.ts'

describe('bodies', () => {
  const withBody = platformEntryList.filter(([, entry]) => entry.body)

  test.each(withBody)('%s: takes a right one, refuses a field that is none by its name', (_, entry) => {
    const body = makeSamples(entry).body as object
    expect(findRefusedFields(bodySchema(entry), body, 'body')).toBeUndefined()
    expect(findRefusedFields(bodySchema(entry), { ...body, no_such_field: 1 }, 'body')).toEqual(['body.no_such_field'])
  })

  test.each(withBody)('%s: refuses what is no object', (_, entry) => {
    for (const body of [null, [], 'text', 7])
      expect(findRefusedFields(bodySchema(entry), body, 'body')).toEqual(['body'])
  })

  test.each<[string, Endpoint, string, unknown[], unknown[]]>([
    ['datasets.create', contract.datasets.create, 'name', ['a', 'a'.repeat(40)], ['  ', 'a'.repeat(41), undefined]],
    ['datasets.create', contract.datasets.create, 'indexing_technique', ['economy'], ['cheap', null]],
    ['datasets.update', contract.datasets.update, 'partial_member_list', [['u'], []], ['u', [1], [{}]]],
    ['chat.send', contract.chat.send, 'response_mode', ['blocking', undefined], ['slow', null]],
    ['chat.send', contract.chat.send, 'conversation_id', ['', SAMPLE_ID, undefined], ['..', 'x']],
    ['completion.send', contract.completion.send, 'inputs', [{ query: '' }], [{}, undefined]],
    ['workflows.run', contract.workflows.run, 'inputs', [{}, { a: [1] }], [[], 'x', null]],
    ['annotations.reply', contract.annotations.reply, 'score_threshold', [0, 1], ['0.9', -0.1, 1.1, null]],
  ])('%s: %s', (_, entry, field, right, wrong) => {
    const body = makeSamples(entry).body as object
    const schema = bodySchema(entry)
    for (const value of right)
      expect([value, findRefusedFields(schema, { ...body, [field]: value }, 'body')]).toEqual([value, undefined])
    for (const value of wrong)
      expect(findRefusedFields(schema, { ...body, [field]: value }, 'body')?.[0]).toMatch(
        new RegExp(`^body\\.${field}`),
      )
  })

  test('chat streams unless told otherwise, and an empty object of inputs is sent', () => {
    expect(contract.chat.send.body.parse({ query: 'q', user: 'u' })).toEqual({
      query: 'q',
      user: 'u',
      inputs: {},
      response_mode: 'streaming',
    })
  })

  test('a conversation needs a name unless one is made', () => {
    const { body } = contract.chat.rename
    expect(findRefusedFields(body, { user: 'u', name: null }, 'body')).toEqual(['body.name'])
    expect(body.parse({ user: 'u', auto_generate: true })).toEqual({ user: 'u', auto_generate: true })
    expect(body.parse({ user: 'u', name: 'Teas' })).toEqual({ user: 'u', name: 'Teas', auto_generate: false })
  })
})

test.each([
  [contract.annotations.reply, 'enable', 'on'],
  [contract.adjacent.setDocumentStatus, 'un_archive', 'unarchive'],
  [contract.adjacent.annotationJob, 'disable', 'x'],
] as [Endpoint, string, string][])('$path: its action is one of the listed', (entry, right, wrong) => {
  const params = { ...(makeSamples(entry).params as object), action: right }
  expect(findRefusedFields(entry.params, params, 'params')).toBeUndefined()
  expect(findRefusedFields(entry.params, { ...params, action: wrong }, 'params')).toEqual(['params.action'])
})
