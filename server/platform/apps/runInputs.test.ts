import { expect, test } from 'vitest'
import fc from 'fast-check'
import { PlatformError } from '../platformErrors.ts'
import { toControls, InputForm } from './inputForm.ts'
import { checkInputs } from './runInputs.ts'
import { setupApps } from './serveApps.fixture.ts'

const { database } = setupApps()
const files = {
  allowed_file_types: ['document'],
  allowed_file_extensions: ['.PDF'],
  allowed_file_upload_methods: ['remote_url'],
}
const FORM = toControls(
  InputForm.parse([
    { 'text-input': { label: 'Name', variable: 'name', required: true, max_length: 5 } },
    { paragraph: { label: 'Text', variable: 'text', required: false, default: 'none', max_length: 20 } },
    { select: { label: 'Size', variable: 'size', required: false, options: ['S', 'M'] } },
    { number: { label: 'Count', variable: 'count', required: false, default: '2' } },
    { checkbox: { label: 'Sure', variable: 'sure', required: false } },
    { file: { label: 'One', variable: 'one', required: false, ...files } },
    { 'file-list': { label: 'Many', variable: 'many', required: false, max_length: 2, ...files } },
    { json_object: { label: 'More', variable: 'more', required: false } },
  ]),
)
const check = (given: Record<string, unknown>) => checkInputs(database(), { app: 'chat', user: 'ada' }, FORM, given)
const pdf = { type: 'document', transfer_method: 'remote_url', url: 'https://a.b/c.pdf' }

test('what is given is read, what is not gets its default, what is not declared is dropped', async () => {
  expect(await check({ name: 'Ada' })).toEqual({
    name: 'Ada',
    text: 'none',
    size: null,
    count: 2,
    sure: false,
    one: null,
    many: [],
    more: null,
  })
  expect(
    await check({ name: 'Ada', text: '', size: 'M', count: ' 1.5e1 ', sure: 'on', more: { a: [1] }, other: 1 }),
  ).toMatchObject({
    text: '',
    size: 'M',
    count: 15,
    sure: true,
    more: { a: [1] },
  })
  const read = await check({ name: 'Ada', one: pdf, many: [pdf, { ...pdf, url: 'https://a.b/no-extension' }], sure: 0 })
  expect(read).toMatchObject({
    sure: false,
    one: { filename: 'c.pdf', extension: 'pdf' },
    many: [{ url: pdf.url }, { extension: '' }],
  })
  expect(read).not.toHaveProperty('other')
})

test.each([
  [{}, 'inputs.name is required'],
  [{ name: '' }, 'inputs.name is required'],
  [{ name: null }, 'inputs.name is required'],
  [{ name: 5 }, 'inputs.name must be a string'],
  [{ name: 'Ada Lovelace' }, 'inputs.name must have at most 5 characters'],
  [{ name: 'Ada', size: 'L' }, 'inputs.size must be one of S, M'],
  [{ name: 'Ada', size: ['S'] }, 'inputs.size must be a string'],
  [{ name: 'Ada', count: '1,5' }, 'inputs.count must be a number'],
  [{ name: 'Ada', count: true }, 'inputs.count must be a number'],
  [{ name: 'Ada', count: '1e999' }, 'inputs.count must be a number'],
  [{ name: 'Ada', sure: 'maybe' }, 'inputs.sure must be true or false'],
  [{ name: 'Ada', sure: ['true'] }, 'inputs.sure must be true or false'],
  [{ name: 'Ada', one: [pdf] }, 'inputs.one must be one file object'],
  [{ name: 'Ada', one: { ...pdf, type: 'image' } }, 'inputs.one.0.type must be one of document'],
  [{ name: 'Ada', one: { ...pdf, url: 'https://a.b/c.exe' } }, 'inputs.one.0 has the extension exe, allowed are pdf'],
  [
    { name: 'Ada', one: { ...pdf, transfer_method: 'local_file' } },
    'inputs.one.0.transfer_method must be one of remote_url',
  ],
  [{ name: 'Ada', many: pdf }, 'inputs.many must be a list of file objects'],
  [{ name: 'Ada', many: [pdf, pdf, pdf] }, 'inputs.many must have at most 2 files'],
  [{ name: 'Ada', many: ['a'] }, 'inputs.many.0 must be a file object'],
  [{ name: 'Ada', more: [] }, 'inputs.more must be an object'],
])('%j is refused', async (given, message) => {
  await expect(check(given)).rejects.toMatchObject({ status: 400, code: 'invalid_param', message })
})

test('whatever is given is read or refused by the name of its variable', async () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom('S', 'true', '12', pdf, [pdf]))
  const given = fc.record(Object.fromEntries(FORM.map(({ variable }) => [variable, value])), { requiredKeys: [] })
  await fc.assert(
    fc.asyncProperty(given, async (inputs) => {
      const outcome = await check(inputs).catch((error: unknown) => error)
      if (outcome instanceof Error) expect(outcome instanceof PlatformError && outcome.message).toMatch(/^inputs\.\w+/)
      else expect(Object.keys(outcome as object)).toEqual(FORM.map(({ variable }) => variable))
    }),
  )
})
