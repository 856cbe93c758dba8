/**
 * A number of a JSON text that `Number` would change: an integer such as 9007199254740993, a long fraction, 1e400. It
 * is written with its original digits, by `JSON.stringify` too.
 */
export class LosslessNumber {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }

  toString(): string {
    return this.source
  }

  toJSON(): unknown {
    return KEEPS_SOURCE_TEXT ? sourceTextJson.rawJSON(this.source) : Number(this.source)
  }
}

/** The proposal “JSON.parse source text access”, which TypeScript does not have yet. */
const sourceTextJson = JSON as unknown as {
  rawJSON: (source: string) => unknown
  parse: (text: string, reviver: (name: string, value: unknown, context?: { source?: string }) => unknown) => unknown
}
/** Chrome 114, Firefox 135, Safari 18.4 and Node 21 have it. Older ones round numbers. */
const KEEPS_SOURCE_TEXT = 'rawJSON' in JSON

/** Numbers with 16 or more digits, or with an exponent of three or more: `Number` keeps all others. */
const LONG_NUMBER = /(?<=[\s:,[]|^)-?(?:\d[\d.]{15}|[\d.]+[eE][+-]?\d{3})[\d.eE+-]*/g

/**
 * JSON with the digits of its numbers: those that `Number` keeps are numbers, others a `LosslessNumber`. A reviver
 * takes several times as long as plain parsing, so it is used only for a text with such a number.
 * @param parsePlain the value of a text without such a number, for a caller that has already parsed it
 * @throws SyntaxError
 */
export function parseLosslessJson(
  text: string,
  parsePlain: () => unknown = () => JSON.parse(text) as unknown,
): unknown {
  return (findLossyNumber(text) === null ? undefined : revive(text)) ?? parsePlain()
}

function findLossyNumber(text: string): string | null {
  for (const [source] of text.matchAll(LONG_NUMBER)) if (!isKeptByNumber(source)) return source
  return null
}

/** The first number of a text that an old browser would send rounded; null for none. */
export const findRoundedNumber = (text: string): string | null => (KEEPS_SOURCE_TEXT ? null : findLossyNumber(text))

/** Undefined where the text nests too deep for a reviver, which is recursive. @throws SyntaxError */
function revive(text: string): unknown {
  try {
    return sourceTextJson.parse(text, (_name, value, { source } = {}) =>
      typeof value === 'number' && source !== undefined && !isKeptByNumber(source) ? new LosslessNumber(source) : value,
    )
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Whether `Number` keeps the value; false for other text. */
const isKeptByNumber = (source: string): boolean => {
  const text = String(Number(source))
  return text === source || toDecimal(text) === toDecimal(source)
}

/** The significant digits of a number, and the place of the last one; other text unchanged. */
function toDecimal(source: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source)
  if (!match) return source
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/(?<!0)0+$/, '')
  if (significant === '') return '0'
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`
}

/** A number as typed by a person, such as `.5` or `+007`, which are not JSON; null for any other text. */
export function parseDecimal(text: string): number | LosslessNumber | null {
  const match = /^\s*\+?(-?)0*(\d*)(\.\d*)?([eE][+-]?\d+)?\s*$/.exec(text)
  if (!match || !/\d/.test(text.replace(/[eE].*/, ''))) return null
  const [, sign, whole, fraction = '', exponent = ''] = match
  return parseLosslessJson(`${sign}${whole || '0'}${fraction === '.' ? '' : fraction}${exponent}`) as number
}

/** Whether two numbers have the same value, whatever their digits: 12345678901234567890 and 1.2345678901234567890e19. */
export const isSameNumber = (one: unknown, other: unknown): boolean =>
  isNumeric(one) && isNumeric(other) && toDecimal(String(one)) === toDecimal(String(other))

export const isNumeric = (value: unknown): value is number | LosslessNumber =>
  typeof value === 'number' || value instanceof LosslessNumber

/** Whether a value of JSON is a list or an object. */
export const isJsonContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof LosslessNumber)

/** A copy with plain numbers only, for code that computes with them. */
export const toPlainNumbers = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null') as unknown

/** Parses by a zod schema, whose numbers are plain: further digits are dropped. */
export function parseBySchema<Result extends { success: boolean }>(
  schema: { safeParse: (value: unknown) => Result },
  value: unknown,
): Result {
  const result = schema.safeParse(value)
  return result.success ? result : schema.safeParse(toPlainNumbers(value))
}
