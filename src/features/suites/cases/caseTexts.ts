import type { Check } from '#contract/console/checks.ts'
import type { SuiteCase } from '#contract/console/suites.ts'

/** What a case says, in the order in which it is shown. */
export const CASE_FIELDS = [
  'name',
  'query',
  'earlier_turns',
  'inputs',
  'files',
  'answer',
  'sources',
  'checks',
  'tags',
  'split',
] as const
export type CaseField = (typeof CASE_FIELDS)[number]

/** Each field as a text; missing fields are omitted. */
export function toCaseTexts({ name, input, expected, checks, tags, split }: SuiteCase): Map<CaseField, string> {
  const { query, earlier_turns, inputs, files } = input
  const sources = [...(expected.segments ?? []), ...(expected.documents ?? [])]
  const texts: Record<CaseField, string | undefined> = {
    name: name === query ? undefined : name,
    query,
    earlier_turns: earlier_turns?.join('\n'),
    inputs: inputs && JSON.stringify(inputs, null, 2),
    files: files && JSON.stringify(files, null, 2),
    answer: expected.answer,
    sources: sources.map(({ id, label }) => (label ? `${label} (${id})` : id)).join('\n'),
    checks: checks.map(describeCheck).join('\n'),
    tags: tags.join(', '),
    split: split ?? undefined,
  }
  return new Map(CASE_FIELDS.flatMap((field) => (texts[field] ? [[field, texts[field]] as const] : [])))
}

/** The type of a check with its parameters, as a file has them: `contains value: "30 days"`. */
const describeCheck = ({ type, ...parameters }: Check): string =>
  [type, ...Object.entries(parameters).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)].join(' ')

export interface ChangedText {
  field: CaseField
  before: string
  after: string
}

/** The fields that differ between two texts of a case. */
export function listCaseChanges(before: SuiteCase, after: SuiteCase): ChangedText[] {
  const [earlier, later] = [toCaseTexts(before), toCaseTexts(after)]
  return CASE_FIELDS.map((field) => ({
    field,
    before: earlier.get(field) ?? '',
    after: later.get(field) ?? '',
  })).filter((change) => change.before !== change.after)
}
