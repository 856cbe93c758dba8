import { asRecord } from '#domain/stream/untrustedJson.ts'
import type { ConversationVariable } from '#contract/platform/optionalConversationVariables.ts'
import { findRoundedNumber, isJsonContainer, isNumeric, parseDecimal, parseLosslessJson } from '#domain/losslessJson.ts'

/** How a value is edited. */
export type VariableControl = 'text' | 'number' | 'boolean' | 'json'

const TEXT_TYPES = ['string', 'secret']
const NUMBER_TYPES = ['number', 'integer', 'float']
const ITEM_TYPE = /^array\[(string|number|boolean|object)\]$/

/** The control of a type; a type that is not known is edited as JSON. */
export function getVariableControl(type: string | null | undefined): VariableControl {
  if (TEXT_TYPES.includes(type ?? '')) return 'text'
  if (NUMBER_TYPES.includes(type ?? '')) return 'number'
  return type === 'boolean' ? 'boolean' : 'json'
}

export function toVariableInput({ value, value_type }: Pick<ConversationVariable, 'value' | 'value_type'>): string {
  const control = getVariableControl(value_type)
  if (control === 'json') return JSON.stringify(value, null, 2) ?? ''
  if (value === null || value === undefined) return control === 'boolean' ? 'false' : ''
  return isJsonContainer(value) ? JSON.stringify(value) : String(value)
}

/** Why an input does not match its type. `position` counts from 1. */
export type VariableError =
  | { code: 'mustBeNumber' | 'mustBeInteger' | 'roundedNumber' | 'mustBeObject' | 'mustBeArray' }
  | { code: 'mustBeJson'; reason: string }
  | { code: 'mustBeItems'; type: string; position: number }

export type ParsedVariable = { value: unknown; error: null } | { error: VariableError }

/** Reads the input of a variable as a value of its type. Text is unchanged, including blanks. */
export function parseVariableInput(type: string | null | undefined, input: string): ParsedVariable {
  const control = getVariableControl(type)
  if (control !== 'text' && findRoundedNumber(input) !== null) return { error: { code: 'roundedNumber' } }
  switch (control) {
    case 'text':
      return { value: input, error: null }
    case 'number':
      return parseNumber(type, input.trim())
    case 'boolean':
      return { value: input === 'true', error: null }
    case 'json':
      return parseJson(type, input)
  }
}

function parseNumber(type: string | null | undefined, text: string): ParsedVariable {
  const value = parseDecimal(text)
  if (value === null) return { error: { code: 'mustBeNumber' } }
  if (type === 'integer' && !/^-?\d+$/.test(String(value))) return { error: { code: 'mustBeInteger' } }
  return { value, error: null }
}

function parseJson(type: string | null | undefined, input: string): ParsedVariable {
  let value: unknown
  try {
    value = parseLosslessJson(input)
  } catch (error) {
    return { error: { code: 'mustBeJson', reason: (error as SyntaxError).message } }
  }
  if (type === 'object' && !asRecord(value)) return { error: { code: 'mustBeObject' } }
  if (!type?.startsWith('array')) return { value, error: null }
  if (!Array.isArray(value)) return { error: { code: 'mustBeArray' } }
  const itemType = ITEM_TYPE.exec(type)?.[1]
  const wrongIndex = itemType ? value.findIndex((item) => !isItem(itemType, item)) : -1
  if (!itemType || wrongIndex === -1) return { value, error: null }
  return { error: { code: 'mustBeItems', type: itemType, position: wrongIndex + 1 } }
}

const isItem = (type: string, item: unknown): boolean =>
  type === 'object' ? asRecord(item) !== null : type === 'number' ? isNumeric(item) : typeof item === type
