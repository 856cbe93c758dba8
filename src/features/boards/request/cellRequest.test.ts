import { expect, test } from 'vitest'
import type { InputField } from '../../runs/inputs/inputFields.ts'
import { type AppForm, listCommonFields, toCellRequest } from './cellRequest.ts'

const control = (variable: string, part: Partial<InputField> = {}): InputField => ({
  kind: 'text-input',
  variable,
  label: variable,
  description: '',
  required: false,
  hidden: false,
  max_length: null,
  options: [],
  initial: '',
  files: null,
  ...part,
})
const chat: AppForm = { entry: 'chat.send', fields: [control('detail', { initial: 'normal' })], files: null }
const completion: AppForm = {
  entry: 'completion.send',
  fields: [control('query', { required: true, max_length: 12 }), control('focus')],
  files: null,
}
const workflow: AppForm = { entry: 'workflows.run', fields: [control('focus', { required: true })], files: null }
const terms = {
  user: 'mira',
  response_mode: 'streaming' as const,
  commonFields: listCommonFields([chat, completion, workflow]),
}
const asked = (query: string, filled: Record<string, string> = {}) => ({ query, filled, files: [] })

test('one question reaches a chat as its query and a completion as its input; each gets the inputs of its own form', () => {
  const all = asked('Why?', { detail: 'long', focus: 'Tea' })
  expect(toCellRequest(chat, all, terms).body).toMatchObject({ query: 'Why?', inputs: { detail: 'long' } })
  expect(toCellRequest(completion, all, terms).body.inputs).toEqual({ query: 'Why?', focus: 'Tea' })
  expect(toCellRequest(completion, all, terms).body).not.toHaveProperty('query')
  expect(toCellRequest(workflow, all, terms).body.inputs).toEqual({ focus: 'Tea' })
})

test('as JSON the same goes to the same, and what no form names goes to all', () => {
  const all = asked('Why?', { '': '{"detail": "long", "focus": "Tea", "extra": 1}' })
  expect(toCellRequest(chat, all, terms).body.inputs).toEqual({ detail: 'long', extra: 1 })
  expect(toCellRequest(completion, all, terms).body.inputs).toEqual({ query: 'Why?', focus: 'Tea', extra: 1 })
  expect(toCellRequest(chat, asked('Why?', { '': '[' }), terms).errors).toHaveProperty('')
})

test('a form asks once for what two apps call by one name, and for all that one of them demands', () => {
  expect(terms.commonFields.map(({ variable, required }) => [variable, required])).toEqual([
    ['detail', false],
    ['focus', true],
  ])
})

test('what keeps a request from being sent is said', () => {
  expect(toCellRequest(chat, asked(' '), terms).missing).toBe('needsQuery')
  expect(toCellRequest(completion, asked(''), terms)).toMatchObject({ missing: 'needsQuery', errors: {} })
  expect(toCellRequest(completion, asked('far too long a question'), terms).errors).toHaveProperty(
    'query.key',
    'tooLong',
  )
  expect(toCellRequest(workflow, asked('Why?'), terms).errors).toHaveProperty('focus.key', 'required')
  expect(toCellRequest(chat, asked('Why?'), { ...terms, user: ' ' }).missing).toBe('needsUser')
  expect(toCellRequest(chat, asked('Why?'), terms)).toMatchObject({ missing: null, errors: {} })
})
