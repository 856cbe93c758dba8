import { toFileEntries, type FileEntry } from '../../runs/inputs/inputFiles.ts'
import type { FormValues } from '../../runs/inputs/inputFields.ts'

/** A set of inputs as it is kept: what stood in the form and what stood beside it as files. */
export interface InputSet {
  filled: FormValues
  files: FileEntry[]
}

/** A kept value as a set of inputs; what is none of it is left out. */
export function toInputSet(value: unknown): InputSet {
  const { filled, files } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  const fields = typeof filled === 'object' && filled !== null ? Object.entries(filled) : []
  return {
    filled: Object.fromEntries(fields.filter((pair): pair is [string, string] => typeof pair[1] === 'string')),
    files: Array.isArray(files) ? toFileEntries(files) : [],
  }
}

/** Whether two sets hold the same, in whatever order their fields stand. */
export const isSameInputSet = (one: InputSet, other: InputSet): boolean =>
  toComparableText(one) === toComparableText(other)

const toComparableText = ({ filled, files }: InputSet): string =>
  JSON.stringify([Object.entries(filled).sort(([a], [b]) => (a < b ? -1 : 1)), files])
