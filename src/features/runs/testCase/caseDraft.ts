import type { Check } from '#contract/console/checks.ts'
import { CaseInput, type SuiteTarget } from '#contract/console/suites.ts'
import { asRecord } from '#domain/stream/untrustedJson.ts'
import { parseLosslessJson } from '#domain/losslessJson.ts'

/** A case of an app as its form has it. */
export interface CaseDraft {
  query: string
  /** One question a line. */
  earlierTurns: string
  /** JSON. */
  inputs: string
  /** A JSON list. */
  files: string
  /** The answer that is expected. */
  answer: string
  checks: Check[]
}

export const EMPTY_CASE_DRAFT: CaseDraft = {
  query: '',
  earlierTurns: '',
  inputs: '',
  files: '',
  answer: '',
  checks: [],
}

/** The input of the case; null while the inputs are not a JSON object, or the question of a chat is missing. */
export function toCaseInput(
  target: SuiteTarget,
  { query, earlierTurns, inputs, files: fileText }: CaseDraft,
): CaseInput | null {
  const values = parseCaseInputs(inputs)
  const list = parseCaseFiles(fileText)
  if (!values || !list) return null
  const files = list.length > 0 ? { files: list } : {}
  if (target !== 'chat') return { inputs: values, ...files }
  if (query.trim() === '') return null
  const turns = toLines(earlierTurns)
  return {
    query: query.trim(),
    ...(turns.length > 0 ? { earlier_turns: turns } : {}),
    ...(Object.keys(values).length > 0 ? { inputs: values } : {}),
    ...files,
  }
}

/** Empty text means no inputs; null if it is not a JSON object. */
export function parseCaseInputs(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {}
  try {
    return asRecord(parseLosslessJson(text))
  } catch {
    return null
  }
}

/** Empty text means no files; null if it is not a list of files. */
export function parseCaseFiles(text: string): NonNullable<CaseInput['files']> | null {
  if (text.trim() === '') return []
  try {
    return CaseInput.shape.files.parse(JSON.parse(text)) ?? null
  } catch {
    return null
  }
}

export const toLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export const toFilesText = (files: CaseInput['files']): string =>
  files && files.length > 0 ? JSON.stringify(files, null, 2) : ''

export const toInputsText = (inputs: Record<string, unknown> | undefined): string =>
  inputs && Object.keys(inputs).length > 0 ? JSON.stringify(inputs, null, 2) : ''
