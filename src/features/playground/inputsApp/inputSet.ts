import { toFileEntries, type FileEntry } from '../../runs/inputs/inputFiles.ts'
import type { FormValues } from '../../runs/inputs/inputFields.ts'

/** A saved set of inputs: form values and files. */
export interface InputSet {
  filled: FormValues
  files: FileEntry[]
}

/** Parses a saved value as a set of inputs; unknown fields are dropped. */
export function toInputSet(value: unknown): InputSet {
  const { filled, files } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  const fields = typeof filled === 'object' && filled !== null ? Object.entries(filled) : []
  return {
    filled: Object.fromEntries(fields.filter((pair): pair is [string, string] => typeof pair[1] === 'string')),
    files: Array.isArray(files) ? toFileEntries(files) : [],
  }
}

/** Whether two sets are equal, independent of field order. */
export const isSameInputSet = (one: InputSet, other: InputSet): boolean =>
  toComparableText(one) === toComparableText(other)

const toComparableText = ({ filled, files }: InputSet): string =>
  JSON.stringify([Object.entries(filled).sort(([a], [b]) => (a < b ? -1 : 1)), files])
