import { expect, test } from 'vitest'
import { Parameters } from '#contract/workflows.ts'
import { controlsOf, filledFrom, inputsOf } from './inputs.ts'

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
  const { inputs } = inputsOf(controls, { line: 'EQ-2', loud: 'true', extra: '[1]', count: '7' })
  expect(inputsOf(controls, filledFrom(controls, inputs)).inputs).toEqual(inputs)
})

test('an app without a form has no controls', () => {
  expect(controlsOf(undefined)).toEqual([])
  expect(controlsOf(Parameters.parse({}))).toEqual([])
})
