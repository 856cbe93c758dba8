import { expect, test } from 'vitest'
import { parseVariableInput, toVariableInput } from './variableInput.ts'

test('the input of a variable gives its value back', () => {
  for (const [value_type, value] of [
    ['string', '  two\nlines '],
    ['string', ''],
    ['secret', '007'],
    ['number', -1.5],
    ['integer', 12],
    ['boolean', true],
    ['boolean', false],
    ['object', { a: [1, { b: null }] }],
    ['array[string]', ['a', '']],
    ['array[number]', []],
    ['array[object]', [{}]],
    ['array[any]', [1, 'a', null]],
    ['a_later_type', ['kept']],
  ] as const)
    expect(parseVariableInput(value_type, toVariableInput({ value_type, value })), value_type).toEqual({
      value,
      error: null,
    })
})

test.each([
  ['number', '9007199254740993'],
  ['integer', '-12345678901234567890'],
  ['float', '0.12345678901234567890'],
  ['object', '{"id":9007199254740993}'],
  ['array[number]', '[9007199254740993,1]'],
])('a value of type %s keeps its digits: %s', (value_type, input) => {
  const parsed = parseVariableInput(value_type, input)
  expect(JSON.stringify(parsed)).toBe(`{"value":${input},"error":null}`)
  const shown = toVariableInput({ value_type, value: parsed.error === null ? parsed.value : null })
  expect(shown.replaceAll(/\s/g, '')).toBe(input)
})

test('a variable without a value begins with an input of its type', () => {
  expect(toVariableInput({ value_type: 'string', value: null })).toBe('')
  expect(toVariableInput({ value_type: 'number', value: undefined })).toBe('')
  expect(toVariableInput({ value_type: 'boolean', value: null })).toBe('false')
  expect(toVariableInput({ value_type: 'object', value: null })).toBe('null')
})

test('an input that is no value of the type says why', () => {
  const getError = (type: string, input: string) => parseVariableInput(type, input).error
  expect(getError('number', ' ')).toEqual({ code: 'mustBeNumber' })
  expect(getError('float', '1,5')).toEqual({ code: 'mustBeNumber' })
  expect(getError('integer', '1.5')).toEqual({ code: 'mustBeInteger' })
  expect(getError('object', '{"a": }')).toEqual({ code: 'mustBeJson', reason: expect.stringContaining('}') })
  expect(getError('object', '[]')).toEqual({ code: 'mustBeObject' })
  expect(getError('object', 'null')).toEqual({ code: 'mustBeObject' })
  expect(getError('array[any]', '{}')).toEqual({ code: 'mustBeArray' })
  expect(getError('array[string]', '["a", 2]')).toEqual({ code: 'mustBeItems', type: 'string', position: 2 })
  expect(getError('array[object]', '[[]]')).toEqual({ code: 'mustBeItems', type: 'object', position: 1 })
})
