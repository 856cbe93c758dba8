import { type Document, isNode, isScalar, LineCounter, parseDocument, type ScalarTag, stringify, type Tags } from 'yaml'
import { Check } from '#contract/console/checks.ts'
import { CaseExpectation, CaseInput } from '#contract/console/suites.ts'
import { MAX_SUITE_FILE_BYTES, SuiteFile, type SuiteFileCase } from '#contract/console/suiteFiles.ts'
import { toInvalidProblem } from '#contract/problem.ts'
import { asJson, asRecord } from '../stream/untrustedJson.ts'
import { mapInSlices } from './mapInSlices.ts'
import { findRepeatedCase } from './suiteContent.ts'
import { isJsonContainer, LosslessNumber, parseDecimal } from '../losslessJson.ts'
import { truncateText } from '#contract/truncatedText.ts'

/** A fault in a file; lines count from 1. */
export interface SuiteFileFault {
  line: number
  /** The path in the file, such as `cases.3.input.query`; empty for a syntax error. */
  path: string
  message: string
}

export type ParsedSuiteFile = { file: SuiteFile; faults: null } | { file: null; faults: readonly SuiteFileFault[] }

const MAX_SHOWN_FAULTS = 20
const MAX_NAME_CHARS = 300
const MAX_MESSAGE_CHARS = 1_000

/** The canonical file of a suite: fields in the order of the contract, empty ones omitted. */
export async function formatSuiteFile(file: SuiteFile): Promise<string> {
  const checks = file.checks.length > 0 ? file.checks.map((check) => pickFields(check, Check.shape)) : undefined
  const head = toYaml({ ...pickFields(file, SuiteFile.shape), checks, cases: undefined })
  if (file.cases.length === 0) return `${head}cases: []\n`
  const slices = await mapInSlices(file.cases, (slice) => toYaml({ cases: slice.map(toWrittenCase) }))
  return [head, 'cases:\n', ...slices.map((slice) => slice.replace('cases:\n', ''))].join('')
}

const toYaml = (value: object): string =>
  stringify(value, { lineWidth: 0, version: '1.2', aliasDuplicateObjects: false, customTags: withLosslessNumbers })

const LOSSLESS_NUMBER: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  test: /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/,
  identify: (value) => value instanceof LosslessNumber,
  resolve: parseDecimal,
  stringify: ({ value }) => String(value),
}
const withLosslessNumbers = (tags: Tags): Tags => [LOSSLESS_NUMBER, ...tags]

function toWrittenCase(one: SuiteFileCase): object {
  const { id, name, input, expected, checks, tags, split } = one
  return {
    id,
    name: name === input.query ? undefined : name,
    input: pickFields(input, CaseInput.shape),
    expected: Object.keys(expected).length > 0 ? pickFields(expected, CaseExpectation.shape) : undefined,
    checks: checks.length > 0 ? checks.map((check) => pickFields(check, Check.shape)) : undefined,
    tags: tags.length > 0 ? tags : undefined,
    split: split ?? undefined,
  }
}

const pickFields = (value: object, shape: object): Record<string, unknown> => {
  const record = value as Record<string, unknown>
  return Object.fromEntries(Object.keys(shape).map((name) => [name, record[name]]))
}

/** Reads a file; a fault gives its line, its field and what is expected. */
export function parseSuiteFile(text: string): ParsedSuiteFile {
  const fail = (...faults: SuiteFileFault[]): ParsedSuiteFile => ({ file: null, faults })
  if (new TextEncoder().encode(text).length > MAX_SUITE_FILE_BYTES)
    return fail({ line: 1, path: '', message: `the file is over ${MAX_SUITE_FILE_BYTES} bytes` })
  const lineCounter = new LineCounter()
  const document = parseDocument(text, {
    lineCounter,
    prettyErrors: false,
    version: '1.2',
    uniqueKeys: compareKeys(),
    customTags: withLosslessNumbers,
  })
  const lineAt = (offset: number) => Math.max(1, lineCounter.linePos(offset).line)
  if (document.errors.length > 0)
    return fail(
      ...document.errors.map(({ pos, code, message }) => ({
        line: lineAt(pos[0]),
        path: '',
        message: code === 'MULTIPLE_DOCS' ? 'begins a second document: each suite is a file of its own' : message,
      })),
    )
  const read = readDocument(document)
  if ('fault' in read) return fail({ line: 1, path: '', message: read.fault })
  if (!asRecord(read.value)) return fail({ line: 1, path: '', message: 'must be an object with the fields of a suite' })
  const parsed = SuiteFile.safeParse(read.value)
  if (!parsed.success) {
    const fields = toInvalidProblem('', parsed.error).fields ?? []
    return fail(
      ...fields.slice(0, MAX_SHOWN_FAULTS).map(({ path, message }) => toFault(document, lineAt, path, message)),
    )
  }
  const file = { ...parsed.data, cases: parsed.data.cases.map(withName) }
  const repeated = findRepeatedCase(file.cases)
  if (!repeated) return { file, faults: null }
  const path = `cases.${repeated.index}`
  return fail({ line: lineAt(findOffset(document, path)), path, message: repeated.message })
}

function toFault(
  document: Document,
  lineAt: (offset: number) => number,
  path: string,
  message: string,
): SuiteFileFault {
  const text = message.replace('of this request', 'of a suite')
  const shown = truncateText(text, MAX_MESSAGE_CHARS, ' …')
  return { line: lineAt(findOffset(document, path)), path, message: shown }
}

/** Maximum comparisons of fields to find duplicates; they grow with the square of the number of fields in an object. */
const MAX_COMPARED_FIELDS = 5_000_000

/** Whether two fields have the same name. The parser reports an exception as a fault of the file. */
function compareKeys(): (one: unknown, other: unknown) => boolean {
  let comparedFields = 0
  return (one, other) => {
    if (comparedFields++ > MAX_COMPARED_FIELDS) throw new Error('an object has too many fields')
    return one === other || (isScalar(one) && isScalar(other) && one.value === other.value)
  }
}

/** A file with endlessly expanding aliases has no value. */
function readDocument(document: Document): { value: unknown } | { fault: string } {
  try {
    const value: unknown = document.toJS()
    return hasCycle(value) ? { fault: 'has an alias that stands in what it names' } : { value: asJson(value) }
  } catch {
    return { fault: 'has too many aliases' }
  }
}

function hasCycle(value: unknown, around: readonly object[] = [], seen = new Set<object>()): boolean {
  if (!isJsonContainer(value)) return false
  if (around.includes(value)) return true
  if (seen.has(value)) return false
  seen.add(value)
  return Object.values(value).some((part) => hasCycle(part, [...around, value], seen))
}

/** The start of a field, or of its nearest existing parent. */
function findOffset(document: Document, path: string): number {
  const steps = path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step))
  for (let length = steps.length; length > 0; length--) {
    const node: unknown = document.getIn(steps.slice(0, length), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return 0
}

/** A case without a name is named by its question. */
const withName = (one: SuiteFileCase): SuiteFileCase => {
  const name = one.name ?? one.input.query
  return name !== undefined && name.length <= MAX_NAME_CHARS ? { ...one, name } : one
}
