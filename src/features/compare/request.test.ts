import { expect, test } from 'vitest'
import type { Control } from '../../run/inputs.ts'
import { type AppForm, commonControls, requestOf } from './request.ts'

const control = (variable: string, part: Partial<Control> = {}): Control => ({
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
const chat: AppForm = { entry: 'chat.send', controls: [control('detail', { initial: 'normal' })], files: null }
const completion: AppForm = {
  entry: 'completion.send',
  controls: [control('query', { required: true, max_length: 12 }), control('focus')],
  files: null,
}
const workflow: AppForm = { entry: 'workflows.run', controls: [control('focus', { required: true })], files: null }
const terms = {
  user: 'mira',
  response_mode: 'streaming' as const,
  common: commonControls([chat, completion, workflow]),
}
const asked = (query: string, filled: Record<string, string> = {}) => ({ query, filled, files: [] })

test('one question reaches a chat as its query and a completion as its input; each gets the inputs of its own form', () => {
  const all = asked('Why?', { detail: 'long', focus: 'Tea' })
  expect(requestOf(chat, all, terms).body).toMatchObject({ query: 'Why?', inputs: { detail: 'long' } })
  expect(requestOf(completion, all, terms).body.inputs).toEqual({ query: 'Why?', focus: 'Tea' })
  expect(requestOf(completion, all, terms).body).not.toHaveProperty('query')
  expect(requestOf(workflow, all, terms).body.inputs).toEqual({ focus: 'Tea' })
})

test('as JSON the same goes to the same, and what no form names goes to all', () => {
  const all = asked('Why?', { '': '{"detail": "long", "focus": "Tea", "extra": 1}' })
  expect(requestOf(chat, all, terms).body.inputs).toEqual({ detail: 'long', extra: 1 })
  expect(requestOf(completion, all, terms).body.inputs).toEqual({ query: 'Why?', focus: 'Tea', extra: 1 })
  expect(requestOf(chat, asked('Why?', { '': '[' }), terms).faults).toHaveProperty('')
})

test('a form asks once for what two apps call by one name, and for all that one of them demands', () => {
  expect(terms.common.map(({ variable, required }) => [variable, required])).toEqual([
    ['detail', false],
    ['focus', true],
  ])
})

test('what keeps a request from being sent is said', () => {
  expect(requestOf(chat, asked(' '), terms).lack).toBe('needsQuery')
  expect(requestOf(completion, asked(''), terms)).toMatchObject({ lack: 'needsQuery', faults: {} })
  expect(requestOf(completion, asked('far too long a question'), terms).faults).toHaveProperty('query.key', 'tooLong')
  expect(requestOf(workflow, asked('Why?'), terms).faults).toHaveProperty('focus.key', 'required')
  expect(requestOf(chat, asked('Why?'), { ...terms, user: ' ' }).lack).toBe('needsUser')
  expect(requestOf(chat, asked('Why?'), terms)).toMatchObject({ lack: null, faults: {} })
})
