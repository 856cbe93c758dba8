import { z } from 'zod'
import type { DocumentMetadataUpdate, MetadataField } from '#contract/platform/optionalMetadata.ts'
import { DocumentMetadata } from '#contract/platform/schemas.ts'
import { formatDateTime, parseDateTime } from '#domain/dateFormat.ts'
import { parseMetadataValue } from '#domain/metadataValue.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'

/** A value that a document has of a field. */
export interface DocumentValue {
  id: string
  name: string
  type: string
  value: string | number | boolean | null
}

const BUILT_IN_ID = 'built-in'
const SECONDS_TO_MS = 1000

/** The values of a document's record: its own, and those that the platform fills; none where it says nothing of them. */
export function readDocumentValues({ doc_metadata }: Pick<DocumentRecord, 'doc_metadata'>): {
  own: DocumentValue[]
  builtIn: DocumentValue[]
} {
  const values = (z.array(DocumentMetadata).safeParse(doc_metadata).data ?? []).flatMap(
    ({ id, name, type, value }): DocumentValue[] =>
      id && name ? [{ id, name, type: type ?? 'string', value: value ?? null }] : [],
  )
  return {
    own: values.filter(({ id }) => id !== BUILT_IN_ID),
    builtIn: values.filter(({ id }) => id === BUILT_IN_ID),
  }
}

/** The value as the input of its type shows it: times in the zone of the browser, to the minute. */
export function toInput(type: string | null | undefined, value: DocumentValue['value']): string {
  if (value === null || value === '') return ''
  const at = new Date(Number(value) * SECONDS_TO_MS)
  return type === 'time' && !Number.isNaN(at.getTime()) ? formatDateTime(at) : String(value)
}

/** The value of an input; null for an empty one, undefined for a value of another type. */
export function parseInput(type: string | null | undefined, input: string): string | number | null | undefined {
  const text = input.trim()
  if (text === '') return null
  if (type === 'number') return parseMetadataValue(type, text)
  if (type !== 'time') return input
  const time = parseDateTime(text)
  return time ? time.getTime() / SECONDS_TO_MS : undefined
}

/** The input of a field for documents: their common value, or null where they differ. */
export function toCommonInput(field: MetadataField, documents: readonly DocumentRecord[]): string | null {
  const inputs = documents.map((document) =>
    toInput(field.type, readDocumentValues(document).own.find(({ id }) => id === field.id)?.value ?? null),
  )
  const [first = ''] = inputs
  return inputs.every((input) => input === first) ? first : null
}

type Operation = z.input<typeof DocumentMetadataUpdate>['operation_data'][number]

/**
 * All values of each document after the changes, since the platform replaces them together; null removes a value.
 * Values of fields that the dataset no longer has are dropped.
 */
export const toMetadataUpdate = (
  documents: readonly DocumentRecord[],
  fields: readonly MetadataField[],
  changes: ReadonlyMap<string, string | number | null>,
): Operation[] =>
  documents.map((document) => {
    const values = new Map(readDocumentValues(document).own.map(({ id, value }) => [id, value]))
    const metadata_list = fields.flatMap(({ id, name }) => {
      const value = changes.has(id) ? (changes.get(id) ?? null) : (values.get(id) ?? null)
      return value === null ? [] : [{ id, name, value: typeof value === 'boolean' ? String(value) : value }]
    })
    return { document_id: document.id, metadata_list }
  })
