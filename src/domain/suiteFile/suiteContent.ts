import type { SuiteFile, SuiteFileCase } from '#contract/console/suiteFiles.ts'
import { asRecord } from '../stream/untrustedJson.ts'
import { mapInSlices } from './mapInSlices.ts'

/** The content of a suite file. The order of the cases does not matter. */
export type SuiteContent = Pick<SuiteFile, 'name' | 'target' | 'checks' | 'cases'>
/** A case as the suite has it. */
export type StoredCase = SuiteFileCase & { id: string; name: string }
/** A suite as it is. */
export type StoredContent = Omit<SuiteContent, 'cases'> & { cases: readonly StoredCase[] }

/** The SHA-256 of the content, independent of the order of fields. */
export async function hashSuiteContent({ name, target, checks, cases }: SuiteContent): Promise<string> {
  const slices = await mapInSlices(cases, (slice) => slice.map(toCanonicalJson))
  const sorted = slices.flat().sort()
  const bytes = new TextEncoder().encode(toCanonicalJson([name, target, checks, sorted]))
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export interface SuiteChanges {
  added: SuiteFileCase[]
  changed: StoredCase[]
  removed: StoredCase[]
  /** Of the suite itself. */
  fields: ('name' | 'checks')[]
}

/**
 * The changes that bring a suite to the state of a file. A case without an id matches the one with the same input and
 * expectation.
 */
export function findSuiteChanges(stored: StoredContent, file: SuiteContent): SuiteChanges {
  const left = new Map(stored.cases.map((one) => [one.id, one]))
  const added: SuiteFileCase[] = []
  const changed: StoredCase[] = []
  const take = (one: SuiteFileCase, known: StoredCase | undefined): void => {
    if (!known) return void added.push(one)
    left.delete(known.id)
    const { id: _, name = known.name, ...rest } = one
    const named = { id: known.id, name, ...rest }
    if (!isSameJson(named, known)) changed.push(named)
  }
  for (const one of file.cases) if (one.id !== undefined) take(one, left.get(one.id.toLowerCase()))
  const withoutId = file.cases.filter(({ id }) => id === undefined)
  const known = withoutId.length > 0 ? [...left.values()] : []
  const byQuestion = new Map(known.map((one) => [toQuestionKey(one), one]))
  for (const one of withoutId) take(one, byQuestion.get(toQuestionKey(one)))
  const fields = (['name', 'checks'] as const).filter((field) => !isSameJson(stored[field], file[field]))
  return { added, changed, removed: [...left.values()], fields }
}

export const hasSuiteChanges = ({ added, changed, removed, fields }: SuiteChanges): boolean =>
  added.length + changed.length + removed.length + fields.length > 0

/** One line for each difference between the file and the suite. */
export const describeSuiteChanges = ({ added, changed, removed, fields }: SuiteChanges): string[] => [
  ...fields.map((field) => (field === 'name' ? 'the name of the suite differs' : 'the checks of every case differ')),
  ...changed.map(({ name }) => `the case “${name}” differs`),
  ...added.map(({ name, input }) => `the case “${name ?? input.query ?? ''}” is only in the file`),
  ...removed.map(({ name }) => `the case “${name}” is only in the suite`),
]

/** A case that is repeated in the file: by its id, or without one by its input and expectation. */
export function findRepeatedCase(cases: readonly SuiteFileCase[]): { index: number; message: string } | null {
  const seen = new Map<string, number>()
  for (const [index, one] of cases.entries()) {
    const key = one.id?.toLowerCase() ?? toQuestionKey(one)
    const first = seen.get(key)
    if (first !== undefined)
      return { index, message: `has the same ${one.id ? 'id' : 'input and expectation'} as case ${first + 1}` }
    seen.set(key, index)
  }
  return null
}

/** Fields usually have the same order, which is the fast path. */
const isSameJson = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other) || toCanonicalJson(one) === toCanonicalJson(other)

const toQuestionKey = ({ input, expected }: SuiteFileCase): string => toCanonicalJson([input, expected])

/** JSON independent of the order of fields. */
function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(',')}]`
  const record = asRecord(value)
  if (!record) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(record).filter(([, one]) => one !== undefined)
  return `{${fields
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, one]) => `${JSON.stringify(name)}:${toCanonicalJson(one)}`)
    .join(',')}}`
}
