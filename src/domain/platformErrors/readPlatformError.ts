import type { Problem } from '#contract/problem.ts'
import { asRecord } from '../stream/untrustedJson.ts'
import { truncateText } from '#contract/truncatedText.ts'

/** The content of a refusal: a sentence for people, and the invalid fields, by the platform's names. */
export type PlatformErrorText = Pick<Problem, 'message' | 'fields'>
type FieldProblem = NonNullable<Problem['fields']>[number]

const MAX_MESSAGE_CHARS = 4096
const MAX_FIELDS = 100
const MAX_FIELD_NAME_CHARS = 200
const MAX_QUOTED_CHARS = 300
/** Fields that contain the message of an error, or an object or list with it, most specific first. */
const MESSAGE_FIELDS = [
  ...['message', 'Message', 'msg', 'error_description', 'error_msg', 'errorMessage', 'errmsg', 'detail', 'reason'],
  ...['error', 'errors', 'fault', 'faultstring', 'title'],
]
const MAX_MESSAGE_DEPTH = 4
/** Fields of an error: a reply with any other field is about something else. */
const ERROR_FIELDS = new Set([
  ...MESSAGE_FIELDS,
  ...[
    'code',
    'status',
    'statusCode',
    'status_code',
    'errcode',
    'success',
    'type',
    'param',
    'params',
    'path',
    'instance',
  ],
  ...['timestamp', 'request_id', 'requestId', 'trace_id', 'data'],
])

/**
 * Reads an error reply of a platform into a message for people. Released platforms send `{code, message, status}`,
 * where the message may be the text of a pydantic validator; `{errors: {field: reason}, message}` of an argument
 * parser; `{error}`; and the HTML page of an unknown path. Gateways send `{error: {message}}`, `{detail}` as a text
 * or as a list of fields, `{msg}`, XML, pages and plain text. Accepts any body; the body itself stays in `upstream`.
 */
export function readPlatformError(status: number, body: unknown): PlatformErrorText {
  const record = asRecord(body)
  const fields = record ? readFields(record) : []
  const message = record ? describeRecord(status, record, fields) : describeText(status, body)
  return { message: truncateText(message, MAX_MESSAGE_CHARS), ...(fields.length > 0 ? { fields } : {}) }
}

/** The error in a reply with a success status; null for any other reply. */
export function readErrorReply(status: number, body: unknown): PlatformErrorText | null {
  const record = asRecord(body)
  if (!record || Object.keys(record).some((name) => !ERROR_FIELDS.has(name) || (name === 'data' && record[name])))
    return null
  const { code, status: bodyStatus, statusCode, status_code, errcode, success } = record
  const isFailure =
    success === false ||
    [code, bodyStatus, statusCode, status_code, errcode].some(isFailureCode) ||
    ['error', 'errors', 'detail', 'fault'].some((name) => Boolean(record[name]))
  return isFailure && findErrorMessage(record) !== null ? readPlatformError(status, record) : null
}

const isFailureCode = (code: unknown): boolean =>
  (typeof code === 'number' || (typeof code === 'string' && code !== '')) &&
  !/^(0|2\d\d|ok|success|succeeded)$/i.test(String(code))

/** The message of an error of any shape. */
export function findErrorMessage(value: unknown, depth = 0): string | null {
  if (typeof value === 'string') return value.trim().slice(0, MAX_MESSAGE_CHARS) || null
  if (depth === MAX_MESSAGE_DEPTH || typeof value !== 'object' || value === null) return null
  const parts = Array.isArray(value)
    ? value.slice(0, MAX_FIELDS)
    : MESSAGE_FIELDS.map((name) => (value as Record<string, unknown>)[name])
  for (const part of parts) {
    const message = findErrorMessage(part, depth + 1)
    if (message !== null) return message
  }
  return null
}

/** Whether the body is the page of a web server for an unknown path, which is sent before the key is checked. */
export const isUnknownPathPage = (status: number, body: unknown): boolean =>
  status === 404 && typeof body === 'string' && /^\s*<!doctype html/i.test(body) && getPageTitle(body) !== null

/** The input that a platform refused before a run, from its message; null if the message is about something else. */
export function readInputRefusal(text: string): FieldProblem | null {
  const missing = /^(.+) is required in input form$/.exec(text)
  if (missing?.[1]) return { path: `inputs.${missing[1]}`, message: 'is required' }
  const wrong = /^(?:\(type '[^']*'\) )?(.+?) in input form (must .+)$/s.exec(text)
  return wrong?.[1] && wrong[2] ? { path: `inputs.${wrong[1]}`, message: wrong[2] } : null
}

function readFields({ errors, message, detail }: Record<string, unknown>): FieldProblem[] {
  if (Array.isArray(detail)) return detail.slice(0, MAX_FIELDS).flatMap(readDetailField)
  const byField = asRecord(errors)
  if (byField)
    return Object.entries(byField)
      .slice(0, MAX_FIELDS)
      .map(([name, text]) => ({ path: name.slice(0, MAX_FIELD_NAME_CHARS), message: readParserReason(text) }))
  if (typeof message !== 'string') return []
  const missingArgument = /^Arg (\w+) must be provided\.$/.exec(message)
  if (missingArgument?.[1]) return [{ path: missingArgument[1], message: 'is required' }]
  const input = readInputRefusal(message)
  return input ? [input] : readValidatorFields(message)
}

/** An item of `{detail: [{loc: ["body", "inputs", "city"], msg}]}`. */
function readDetailField(item: unknown): FieldProblem[] {
  const { loc, msg } = asRecord(item) ?? {}
  if (!Array.isArray(loc) || typeof msg !== 'string') return []
  const path = loc.filter((step, index) => index > 0 || !['body', 'query', 'path', 'header'].includes(String(step)))
  return path.length === 0 ? [] : [{ path: path.join('.').slice(0, MAX_FIELD_NAME_CHARS), message: toReason(msg) }]
}

/** A reason of the argument parser: its help text, followed by the fault. Sentences are repeated in it. */
function readParserReason(text: unknown): string {
  if (typeof text !== 'string') return JSON.stringify(text)
  if (text.includes('Missing required parameter')) return 'is required'
  const sentences = text.split(/(?<=\.) /).filter((sentence) => sentence !== 'type is required.')
  return [...new Set(sentences)].join(' ') || text
}

/**
 * The fields of a pydantic text: a line for the location, an indented one for the reason. A reason without a location
 * is about the whole body and has no field.
 */
function readValidatorFields(text: string): FieldProblem[] {
  return readValidatorReasons(text)
    .filter(({ path }) => path !== '')
    .slice(0, MAX_FIELDS)
}

const VALIDATOR_HEAD_PATTERN = /^\d+ validation errors? for [^\n]+\n/

function readValidatorReasons(text: string): FieldProblem[] {
  if (!VALIDATOR_HEAD_PATTERN.test(text)) return []
  let path = ''
  return text
    .split('\n')
    .slice(1)
    .flatMap((line): FieldProblem[] => {
      if (/^\S/.test(line)) path = line.slice(0, MAX_FIELD_NAME_CHARS)
      const reason = /^ {2}(\S.*)$/.exec(line)?.[1]
      return reason === undefined ? [] : [{ path, message: toReason(reason) }]
    })
}

/** `Input should be a valid string [type=string_type, ...]` without the validator's own notes. */
const toReason = (reason: string): string =>
  reason
    .replace(/ \[type=.*$/s, '')
    .replace(/^Value error, /, '')
    .replace(/^field required$/i, 'is required')
    .replace(/^\w+ (?=should )/, '')

function describeRecord(status: number, record: Record<string, unknown>, fields: FieldProblem[]): string {
  const { code } = record
  const said = findErrorMessage(record)
  const explained = explainErrorCode(code, said)
  if (explained !== null) return explained
  if (said !== null && readInputRefusal(said)) return said
  const [first] = fields
  if (first) return describeField(first) + (fields.length > 1 ? ` (and ${fields.length - 1} more)` : '')
  if (said !== null) return readValidatorReasons(said)[0]?.message ?? toPlainWords(said)
  if (status === 413) return 'The file is larger than the platform accepts.'
  return typeof code === 'string' && code !== ''
    ? `The platform refused the request (${code}) and gave no reason.`
    : describeStatus(status)
}

const describeField = ({ path, message }: FieldProblem): string =>
  /^[a-z]/.test(message) ? `${path} ${message}` : `${path}: ${message}`

/** Messages of released platforms about their own code, and what they mean. */
const PLAIN_SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/^Please check if your app mode matches the right API route\.$/, 'The key belongs to an app of another kind.'],
  [/^(Internal Server Error$|The server encountered an internal error)/, 'The platform failed with an internal error.'],
  [/^The browser \(or proxy\) sent a request/, 'The platform could not read the request.'],
  [/^Did not attempt to load JSON data/, 'The platform accepts only JSON here.'],
  [/^rating cannot be None when feedback not exists$/, 'There is no rating to remove.'],
  [
    /^current_user must be an Account instance$/,
    'The annotation operations are broken in this release of the platform. Releases after 1.9.2 repair them.',
  ],
]

/** The meaning of a code of the platform, if its own message does not explain it. */
const CODE_SENTENCES: Readonly<Record<string, string>> = {
  agent_not_published: 'The agent is not published. Publish it on the platform.',
  agent_run_limit_exceeded: 'The agent reached the platform’s limit of steps or time for one run.',
  plugin_runtime_error: 'A plugin of the platform failed: a model, a tool or a data source.',
}

/** The meaning of an error's code, followed by the platform's own message; null for an unknown code. */
export function explainErrorCode(code: unknown, said: string | null): string | null {
  const sentence = typeof code === 'string' && Object.hasOwn(CODE_SENTENCES, code) ? CODE_SENTENCES[code] : undefined
  if (!sentence) return null
  return said === null ? sentence : `${sentence} The platform says: “${said}”`
}

/** Without the list of similar paths that the platform's router appends, and without an unfilled placeholder. */
function toPlainWords(text: string): string {
  const sentence = text.replace(/ You have requested this URI \[.*$/s, '').replace(/ \{\w+\}$/, '')
  return PLAIN_SENTENCES.find(([pattern]) => pattern.test(sentence))?.[1] ?? sentence
}

function describeText(status: number, body: unknown): string {
  if (isUnknownPathPage(status, body))
    return 'The platform does not know this URL: it does not offer the operation, or an id is invalid.'
  const words = typeof body === 'string' ? quoteBody(body) : null
  if (words === null) return describeStatus(status)
  return isMarkup(String(body))
    ? `The platform answered ${status} with the page “${words}”.`
    : `The platform answered ${status}: “${words}”.`
}

const isMarkup = (body: string): boolean => /^\s*</.test(body)

/** The text of a page or a plain text, in one line; null without text. */
export function quoteBody(body: string): string | null {
  if (isMarkup(body)) return getPageTitle(body)
  const line = body.slice(0, 2 * MAX_QUOTED_CHARS).replace(/\s+/g, ' ').trim() // prettier-ignore
  if (line === '' || /[\p{Cc}\uFFFD]/u.test(line)) return null
  return line.length > MAX_QUOTED_CHARS ? `${line.slice(0, MAX_QUOTED_CHARS)}…` : line
}

/** The title of a page, its first heading, or the message of an XML document. */
const getPageTitle = (page: string): string | null =>
  ['title', 'h1', 'message']
    .map((tag) => new RegExp(`<${tag}\\b[^>]{0,200}>([^<]{1,200})</${tag}>`, 'i').exec(page)?.[1])
    .map((words) => words?.replace(/\s+/g, ' ').trim())
    .find(Boolean) ?? null

const describeStatus = (status: number): string => `The platform answered ${status}.`
