import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { requirements, SHARED_DATA, titleWith } from '#support/requirements.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppParameters } from '#contract/platform/appParameters.ts'
import {
  toFieldView,
  toJsonView,
  toExtraValues,
  type InputField,
  toInputFields,
  toFormValues,
  parseInputs,
  JSON_VIEW_KEY,
  toRefusedErrors,
} from './inputFields.ts'
import { parseLosslessJson } from '#domain/losslessJson.ts'

const controls = toInputFields(
  AppParameters.parse({
    user_input_form: [
      { 'text-input': { label: 'Line', variable: 'line', required: true, max_length: 5, default: 'EQ' } },
      { paragraph: { label: 'Notes', variable: 'notes' } },
      { select: { label: 'Language', variable: 'lang', options: ['en', 'zh'], default: 'en' } },
      { number: { label: 'Count', variable: 'count', default: 3 } },
      { checkbox: { label: 'Loud', variable: 'loud' } },
      { json_object: { label: 'Extra', variable: 'extra', default: { a: 1 } } },
      { 'text-input': { label: 'Nameless' } },
    ],
  }),
)

test('an untouched form sends its defaults in their own types, and nothing for an empty field', () => {
  expect(parseInputs(controls, {})).toEqual({
    inputs: { line: 'EQ', lang: 'en', count: 3, loud: false, extra: { a: 1 } },
    errors: {},
  })
})

test('what is wrong is said of each field', () => {
  const { inputs, errors } = parseInputs(controls, { line: '', count: 'many', extra: '{', notes: 'x'.repeat(9) })
  expect(Object.entries(errors).map(([variable, { key }]) => [variable, key])).toEqual([
    ['line', 'required'],
    ['count', 'notNumber'],
    ['extra', 'notJson'],
  ])
  expect(inputs).not.toHaveProperty('line')
  expect(parseInputs(controls, { line: '灯灯灯灯灯灯' }).errors.line).toEqual({ key: 'tooLong', label: 'Line', max: 5 })
  expect(parseInputs(controls, { line: '😀😀😀😀😀' }).errors).toEqual({})
})

test.each(['9007199254740993', '-12345678901234567890', '0.12345678901234567890', '1e400'])(
  'a number keeps its digits in fields, in JSON and in another request: %s',
  (digits) => {
    const fields = controls.filter(({ variable }) => ['count', 'extra'].includes(variable))
    const inputs = `{"count":${digits},"extra":{"id":${digits}},"more":[${digits}]}`
    const typed = { count: digits, extra: `{"id":${digits}}`, '+more': `[${digits}]` }
    const parsed = parseInputs(fields, typed)
    expect(JSON.stringify(parsed)).toBe(`{"inputs":${inputs},"errors":{}}`)
    const json = toJsonView(fields, typed)
    expect(JSON.stringify(parseInputs(fields, json).inputs)).toBe(inputs)
    expect(JSON.stringify(parseInputs(fields, toFieldView(fields, json) ?? {}).inputs)).toBe(inputs)
  },
)

const SHARED_FORM = 'real-inputs/console/S13/form.json'
const sharedForm = requirements.sharedData(SHARED_FORM)
test.skipIf(!sharedForm.isMet)(titleWith(sharedForm, 'the defaults of the shared form keep their digits'), () => {
  const text = readFileSync(join(SHARED_DATA, SHARED_FORM), 'utf8')
  const fields = toInputFields(AppParameters.parse({ user_input_form: parseLosslessJson(text) }))
  expect(JSON.stringify(parseInputs(fields, {}).inputs)).toBe('{"n":9007199254740993,"j":{"id":9007199254740993}}')
})

test('options are sent as the app has them, and what the platform gets itself is no field', () => {
  const fields = toInputFields(
    AppParameters.parse({
      user_input_form: [
        { external_data_tool: { variable: 'crm', label: 'CRM', type: 'api', required: true } },
        { select: { variable: 'size', options: [1, 2, '3'], default: 2, required: 'true' } },
        { 'text-input': { variable: 'line', max_length: '3', required: 'false', hide: 1 } },
        { paragraph: { variable: 'notes', max_length: '' } },
      ],
    }),
  )
  expect(fields).toMatchObject([
    { variable: 'size', options: ['1', '2', '3'], required: true },
    { variable: 'line', max_length: 3, required: false, hidden: true },
    { variable: 'notes', max_length: null },
  ])
  expect(parseInputs(fields, {}).inputs).toEqual({ size: 2 })
  expect(parseInputs(fields, { size: '3', line: 'four' })).toMatchObject({
    inputs: { size: '3' },
    errors: { line: { key: 'tooLong', max: 3 } },
  })
  expect(parseInputs(fields, { size: '4' }).errors.size).toMatchObject({ key: 'notOption', allowed: '1, 2, 3' })
})

const uploads = toInputFields(
  AppParameters.parse({
    user_input_form: [
      { file: { label: 'Photo', variable: 'photo', required: true, allowed_file_types: ['image'] } },
      {
        'file-list': {
          label: 'Papers',
          variable: 'papers',
          allowed_file_types: ['document', 'custom'],
          allowed_file_extensions: ['.log'],
          allowed_file_upload_methods: ['remote_url'],
        },
      },
    ],
    system_parameters: { file_size_limit: 15, image_file_size_limit: 10, workflow_file_upload_limit: 2 },
  }),
)
const remote = (url: string, type = 'document') => ({ type, transfer_method: 'remote_url', url })

test('files go out as the interface has them, one as an object and several as a list', () => {
  const photo = {
    type: 'image',
    transfer_method: 'local_file',
    upload_file_id: 'u1',
    name: 'a.png',
    size: 9,
    by: 'mira',
  }
  const papers = [remote('https://a.example/a.pdf')]
  const { inputs, errors } = parseInputs(uploads, { photo: JSON.stringify([photo]), papers: JSON.stringify(papers) })
  expect(errors).toEqual({})
  expect(inputs).toEqual({ photo: { type: 'image', transfer_method: 'local_file', upload_file_id: 'u1' }, papers })
})

test('each limit of a file variable has its own fault', () => {
  const faultOf = (papers: unknown[]) => parseInputs(uploads, { papers: JSON.stringify(papers) }).errors.papers
  const paper = remote('https://a.example/a.pdf')
  expect(parseInputs(uploads, {}).errors).toEqual({ photo: { key: 'required', label: 'Photo' } })
  expect(faultOf([paper, paper])).toBeUndefined()
  expect(faultOf([paper, paper, paper])).toEqual({ key: 'tooManyFiles', label: 'Papers', max: 2 })
  expect(faultOf([remote('ftp://a.example/a.pdf')])).toMatchObject({ key: 'notUrl', given: 'ftp://a.example/a.pdf' })
  expect(faultOf([remote('https://a.example/a.exe', 'custom')])).toMatchObject({ key: 'fileExtension', allowed: 'log' })
  expect(faultOf([{ ...paper, transfer_method: 'local_file' }])).toMatchObject({ key: 'fileMethod' })
  const photo = [{ type: 'image', transfer_method: 'local_file', upload_file_id: 'u', size: 11 * 1024 * 1024 }]
  expect(parseInputs(uploads, { photo: JSON.stringify(photo) }).errors.photo).toMatchObject({
    key: 'fileTooLarge',
    max: 10,
  })
  expect(parseInputs(uploads, { photo: JSON.stringify([paper]) }).errors.photo).toMatchObject({ key: 'fileType' })
})

test('what the form does not name is kept, and so is what is wrong, from one view to the other', () => {
  const typed = { line: 'EQ-2', count: 'many', '+elsewhere': '[]' }
  const whole = toJsonView(controls, typed)
  expect(JSON.parse(whole[JSON_VIEW_KEY] ?? '')).toMatchObject({ line: 'EQ-2', count: 'many', elsewhere: [] })
  expect(toFieldView(controls, whole)).toMatchObject(typed)
  expect(parseInputs(controls, whole).errors).toEqual({ count: { key: 'notNumber', label: 'Count' } })
  expect(parseInputs(controls, { [JSON_VIEW_KEY]: '[1]' }).errors[JSON_VIEW_KEY]?.key).toBe('notObject')
  expect(toFieldView(controls, { [JSON_VIEW_KEY]: '{' })).toBeNull()
})

const words = fc.string().filter((text) => text.trim() !== '')
const file = fc.record({
  type: fc.constantFrom('image', 'document', 'custom'),
  transfer_method: fc.constant('remote_url'),
  url: fc.webUrl(),
})
const json = fc.jsonValue()
/** Controls with a value that each of them takes. */
const valued: fc.Arbitrary<[InputField['kind'], unknown]> = fc.oneof(
  fc.tuple(fc.constantFrom('text-input', 'paragraph'), words),
  fc.tuple(fc.constant('select'), fc.constantFrom('en', 'zh')),
  fc.tuple(
    fc.constant('number'),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  ),
  fc.tuple(fc.constant('checkbox'), fc.boolean()),
  fc.tuple(fc.constant('file'), file),
  fc.tuple(fc.constant('file-list'), fc.array(file, { minLength: 1, maxLength: 4 })),
  fc.tuple(fc.constant('json_object'), fc.dictionary(words, json)),
  fc.tuple(fc.constantFrom('external_data_tool', 'a-kind-of-tomorrow'), json),
)
const arbitraryForm = fc.dictionary(fc.stringMatching(/^[a-z_][a-z0-9_]{0,8}$/), valued).map((entries) => ({
  controls: toInputFields(
    AppParameters.parse({
      user_input_form: Object.entries(entries).map(([variable, [kind]]) => ({
        [kind]: { variable, label: variable, required: true, options: kind === 'select' ? ['en', 'zh'] : undefined },
      })),
    }),
  ),
  inputs: Object.fromEntries(Object.entries(entries).map(([variable, [, value]]) => [variable, value])),
}))
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test('whatever inputs a form takes, it is filled in with them again, as fields and as JSON', () => {
  fc.assert(
    fc.property(
      arbitraryForm,
      fc.dictionary(fc.stringMatching(/^[A-Z]{1,6}$/), json),
      ({ controls: form, inputs }, other) => {
        const given = plain({ ...inputs, ...other }) as Record<string, unknown>
        const filled = { ...toFormValues(form, given), ...toExtraValues(form, given) }
        expect(parseInputs(form, filled)).toEqual({ inputs: given, errors: {} })
        const whole = toJsonView(form, filled)
        expect(parseInputs(form, whole)).toEqual({ inputs: given, errors: {} })
        expect(parseInputs(form, toFieldView(form, whole) ?? {})).toEqual({ inputs: given, errors: {} })
      },
    ),
  )
})

test('no text that is typed anywhere makes it throw, and a fault never goes out', () => {
  fc.assert(
    fc.property(arbitraryForm, fc.array(fc.string(), { minLength: 1 }), ({ controls: form }, texts) => {
      const filled = Object.fromEntries(
        form.map(({ variable }, index) => [variable, texts[index % texts.length] ?? '']),
      )
      const { inputs, errors } = parseInputs(form, filled)
      for (const name of Object.keys(errors)) expect(inputs).not.toHaveProperty([name])
    }),
  )
})

test('a refusal of the platform stands at the field that it names', () => {
  const fields = toInputFields({
    user_input_form: ['query', 'sub query', 'tone'].map((variable) => ({
      'text-input': { label: variable.toUpperCase(), variable, required: true },
    })),
  } as unknown as AppParameters)
  const find = (message: string) => Object.keys(toRefusedErrors(fields, message))
  expect(find('query is required in input form')).toEqual(['query'])
  expect(find('sub query is required in input form')).toEqual(['sub query'])
  expect(find("tone in input form must be one of the following: ['plain', 'warm']")).toEqual(['tone'])
  expect(find("(type 'text-input') query in input form must be a string")).toEqual(['query'])
  expect(find('name is required in input form')).toEqual([])
  expect(find('Model not found')).toEqual([])
  const given = 'query is required in input form'
  expect(toRefusedErrors(fields, given)['query']).toEqual({ key: 'inputRefused', label: 'QUERY', given })
})
