import type { Check } from '#contract/console/checks.ts'
import type { CaseInput, SuiteTarget } from '#contract/console/suites.ts'
import { asRecord } from '#domain/stream/untrustedJson.ts'

/** A case of an app as its form has it. */
export interface CaseDraft {
  query: string
  /** One question a line. */
  earlierTurns: string
  /** JSON. */
  inputs: string
  /** The answer that is expected. */
  answer: string
  checks: Check[]
}

export const EMPTY_CASE_DRAFT: CaseDraft = { query: '', earlierTurns: '', inputs: '', answer: '', checks: [] }

/** What the case asks; null while the inputs are no JSON object, or the question of a chat is missing. */
export function toCaseInput(target: SuiteTarget, { query, earlierTurns, inputs }: CaseDraft): CaseInput | null {
  const values = parseCaseInputs(inputs)
  if (!values) return null
  if (target !== 'chat') return { inputs: values }
  if (query.trim() === '') return null
  const turns = toLines(earlierTurns)
  return {
    query: query.trim(),
    ...(turns.length > 0 ? { earlier_turns: turns } : {}),
    ...(Object.keys(values).length > 0 ? { inputs: values } : {}),
  }
}

/** Empty text is no inputs; null for what is no JSON object. */
export function parseCaseInputs(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {}
  try {
    return asRecord(JSON.parse(text))
  } catch {
    return null
  }
}

export const toLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export const toInputsText = (inputs: Record<string, unknown> | undefined): string =>
  inputs && Object.keys(inputs).length > 0 ? JSON.stringify(inputs, null, 2) : ''
