import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Parameters } from '#contract/workflows.ts'
import { asFields, asJson, beyondFrom, type Control, controlsOf, filledFrom, inputsOf, WHOLE } from './inputs.ts'

const controls = controlsOf(
  Parameters.parse({
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

test('every control of the form is there, but one that names no variable', () => {
  expect(controls.map(({ kind, variable }) => [kind, variable])).toEqual([
    ['text-input', 'line'],
    ['paragraph', 'notes'],
    ['select', 'lang'],
    ['number', 'count'],
    ['checkbox', 'loud'],
    ['json_object', 'extra'],
  ])
})

test('an untouched form sends its defaults in their own types, and nothing for an empty field', () => {
  expect(inputsOf(controls, {})).toEqual({
    inputs: { line: 'EQ', lang: 'en', count: 3, loud: false, extra: { a: 1 } },
    faults: {},
  })
})

test('what is wrong is said of each field', () => {
  const { inputs, faults } = inputsOf(controls, { line: '', count: 'many', extra: '{', notes: 'x'.repeat(9) })
  expect(Object.entries(faults).map(([variable, { key }]) => [variable, key])).toEqual([
    ['line', 'required'],
    ['count', 'notNumber'],
    ['extra', 'notJson'],
  ])
  expect(inputs).not.toHaveProperty('line')
  expect(inputsOf(controls, { line: '灯灯灯灯灯灯' }).faults.line).toEqual({ key: 'tooLong', label: 'Line', max: 5 })
  expect(inputsOf(controls, { line: '😀😀😀😀😀' }).faults).toEqual({})
})

test('a form is filled in again from what was sent', () => {
  const { inputs } = inputsOf(controls, { line: 'EQ-2', loud: 'true', extra: '{"a":[1]}', count: '7' })
  expect(inputsOf(controls, filledFrom(controls, inputs)).inputs).toEqual(inputs)
})

test('an app without a form has no controls', () => {
  expect(controlsOf(undefined)).toEqual([])
  expect(controlsOf(Parameters.parse({}))).toEqual([])
})

const uploads = controlsOf(
  Parameters.parse({
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
  const { inputs, faults } = inputsOf(uploads, { photo: JSON.stringify([photo]), papers: JSON.stringify(papers) })
  expect(faults).toEqual({})
  expect(inputs).toEqual({ photo: { type: 'image', transfer_method: 'local_file', upload_file_id: 'u1' }, papers })
})

test('each limit of a file variable has its own fault', () => {
  const faultOf = (papers: unknown[]) => inputsOf(uploads, { papers: JSON.stringify(papers) }).faults.papers
  const paper = remote('https://a.example/a.pdf')
  expect(inputsOf(uploads, {}).faults).toEqual({ photo: { key: 'required', label: 'Photo' } })
  expect(faultOf([paper, paper])).toBeUndefined()
  expect(faultOf([paper, paper, paper])).toEqual({ key: 'tooManyFiles', label: 'Papers', max: 2 })
  expect(faultOf([remote('ftp://a.example/a.pdf')])).toMatchObject({ key: 'notUrl', given: 'ftp://a.example/a.pdf' })
  expect(faultOf([remote('https://a.example/a.exe', 'custom')])).toMatchObject({ key: 'fileExtension', allowed: 'log' })
  expect(faultOf([{ ...paper, transfer_method: 'local_file' }])).toMatchObject({ key: 'fileMethod' })
  const photo = [{ type: 'image', transfer_method: 'local_file', upload_file_id: 'u', size: 11 * 1024 * 1024 }]
  expect(inputsOf(uploads, { photo: JSON.stringify(photo) }).faults.photo).toMatchObject({
    key: 'fileTooLarge',
    max: 10,
  })
  expect(inputsOf(uploads, { photo: JSON.stringify([paper]) }).faults.photo).toMatchObject({ key: 'fileType' })
})

test('what the form does not name is kept, and so is what is wrong, from one view to the other', () => {
  const typed = { line: 'EQ-2', count: 'many', '+elsewhere': '[]' }
  const whole = asJson(controls, typed)
  expect(JSON.parse(whole[WHOLE] ?? '')).toMatchObject({ line: 'EQ-2', count: 'many', elsewhere: [] })
  expect(asFields(controls, whole)).toMatchObject(typed)
  expect(inputsOf(controls, whole).faults).toEqual({ count: { key: 'notNumber', label: 'Count' } })
  expect(inputsOf(controls, { [WHOLE]: '[1]' }).faults[WHOLE]?.key).toBe('notObject')
  expect(asFields(controls, { [WHOLE]: '{' })).toBeNull()
})

const words = fc.string().filter((text) => text.trim() !== '')
const file = fc.record({
  type: fc.constantFrom('image', 'document', 'custom'),
  transfer_method: fc.constant('remote_url'),
  url: fc.webUrl(),
})
const json = fc.jsonValue()
/** Controls with a value that each of them takes. */
const valued: fc.Arbitrary<[Control['kind'], unknown]> = fc.oneof(
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
const filledForm = fc.dictionary(fc.stringMatching(/^[a-z_][a-z0-9_]{0,8}$/), valued).map((entries) => ({
  controls: controlsOf(
    Parameters.parse({
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
      filledForm,
      fc.dictionary(fc.stringMatching(/^[A-Z]{1,6}$/), json),
      ({ controls: form, inputs }, other) => {
        const given = plain({ ...inputs, ...other }) as Record<string, unknown>
        const filled = { ...filledFrom(form, given), ...beyondFrom(form, given) }
        expect(inputsOf(form, filled)).toEqual({ inputs: given, faults: {} })
        const whole = asJson(form, filled)
        expect(inputsOf(form, whole)).toEqual({ inputs: given, faults: {} })
        expect(inputsOf(form, asFields(form, whole) ?? {})).toEqual({ inputs: given, faults: {} })
      },
    ),
  )
})

test('no text that is typed anywhere makes it throw, and a fault never goes out', () => {
  fc.assert(
    fc.property(filledForm, fc.array(fc.string(), { minLength: 1 }), ({ controls: form }, texts) => {
      const filled = Object.fromEntries(
        form.map(({ variable }, index) => [variable, texts[index % texts.length] ?? '']),
      )
      const { inputs, faults } = inputsOf(form, filled)
      for (const name of Object.keys(faults)) expect(inputs).not.toHaveProperty([name])
    }),
  )
})
