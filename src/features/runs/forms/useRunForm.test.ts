import { expect, test } from 'vitest'
import type { FormField } from '#contract/console/forms.ts'
import { findPrimaryAction, toFormInputs, toInputControl } from './useRunForm.ts'

const field = (part: Partial<FormField>): FormField => ({
  name: 'f',
  kind: 'paragraph',
  initial: '',
  options: [],
  files: null,
  ...part,
})
const rule = { types: ['image'], extensions: ['.PNG'], methods: ['local_file'], maxFiles: 2 }
const upload = { type: 'image', transfer_method: 'local_file', upload_file_id: 'u-1', name: 'a.png', size: 3 }
const answer = (one: FormField, text?: string) =>
  toFormInputs({ fields: [one] }, text === undefined ? {} : { [one.name]: text })

test('a text begins with its default, and may be empty', () => {
  expect(answer(field({ initial: 'fine' }))).toEqual({ inputs: { f: 'fine' }, errors: {} })
  expect(answer(field({ initial: 'fine' }), '')).toEqual({ inputs: { f: '' }, errors: {} })
})

test('a choice is required, and a default that is no option is none', () => {
  const tone = field({ kind: 'select', options: ['a', 'b'], initial: 'z' })
  expect(answer(tone).errors).toMatchObject({ f: { key: 'required' } })
  expect(answer(tone, 'b')).toEqual({ inputs: { f: 'b' }, errors: {} })
})

test('a choice whose options only the platform knows is answered as text, as is an unknown kind', () => {
  expect(toInputControl(field({ kind: 'select', initial: 'x' }))).toMatchObject({ kind: 'paragraph', initial: 'x' })
  expect(toInputControl(field({ kind: 'signature' }))).toMatchObject({ kind: 'paragraph' })
})

test('a file is sent as the platform takes it, a list as a list; what breaks a limit is an error', () => {
  const sent = { type: 'image', transfer_method: 'local_file', upload_file_id: 'u-1' }
  const one = field({ kind: 'file', files: { ...rule, maxFiles: 1 } })
  expect(answer(one, JSON.stringify([upload]))).toEqual({ inputs: { f: sent }, errors: {} })
  expect(answer(one).errors).toMatchObject({ f: { key: 'required' } })
  const list = field({ kind: 'file-list', files: rule })
  expect(answer(list, JSON.stringify([upload, upload]))).toEqual({ inputs: { f: [sent, sent] }, errors: {} })
  expect(answer(list, JSON.stringify([upload, upload, upload])).errors).toMatchObject({
    f: { key: 'tooManyFiles', max: 2 },
  })
  expect(answer(list, JSON.stringify([{ ...upload, type: 'audio' }])).errors).toMatchObject({ f: { key: 'fileType' } })
})

test('the submit keys stand for the primary action, or for the only one', () => {
  const [a, b] = [
    { id: 'a', title: 'A', style: 'default' },
    { id: 'b', title: 'B', style: 'primary' },
  ]
  expect(findPrimaryAction({ actions: [a, b] })).toBe(b)
  expect(findPrimaryAction({ actions: [a] })).toBe(a)
  expect(findPrimaryAction({ actions: [a, { ...a, id: 'c' }] })).toBeUndefined()
})
