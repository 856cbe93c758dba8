import type { DriftPlace, DriftRow, DriftSeverity } from '#contract/console/drift.ts'
import { platformEntries } from '#contract/platformEntries.ts'
import { asRecord } from '../stream/untrustedJson.ts'
import { findEventSchema, isExpectedStatus, observeError } from './observeReply.ts'
import { getSchemaTree, type SchemaNode } from './schemaTree.ts'

/** A difference as it is stored: one row for each place of a reply or event. */
export type StoredDrift = Omit<DriftRow, 'severity' | 'places'>

/**
 * Stored differences as facts about the platform, in the order of their first rows. Rows about the same field of the
 * same record, in several operations and events, are one fact: its counts are added, its oldest row gives sample and
 * call. Rows that the current contract knows are omitted. Pass rows of one workspace, oldest first.
 */
export function toDriftFacts(rows: readonly StoredDrift[]): DriftRow[] {
  const facts = new Map<string, DriftRow>()
  for (const row of rows) {
    if (isKnownByNow(row)) continue
    const subject = getDriftSubject(row)
    const key = JSON.stringify([row.workspace, row.kind, subject, row.value])
    const place: DriftPlace = { operation: row.operation, event: row.event, path: row.path }
    const fact = facts.get(key)
    if (!fact) facts.set(key, { ...row, severity: getDriftSeverity(row), places: [place] })
    else
      facts.set(key, {
        ...fact,
        count: fact.count + row.count,
        first_seen: fact.first_seen < row.first_seen ? fact.first_seen : row.first_seen,
        last_seen: fact.last_seen > row.last_seen ? fact.last_seen : row.last_seen,
        places: [...fact.places, place],
      })
  }
  return [...facts.values()]
}

/** A new field breaks nothing and is a note; anything else may break a reader, and is a notice. */
export const getDriftSeverity = ({ kind, value }: Pick<DriftRow, 'kind' | 'value'>): DriftSeverity =>
  kind === 'field' || (kind === 'error' && value === 'field') ? 'note' : 'notice'

/**
 * The subject of a difference, the same wherever it shows: the named record and the path in it, the event, or the
 * form of a refusal. Outside of a named record the subject is the place.
 */
function getDriftSubject(row: StoredDrift): string {
  const { kind, operation, event, path } = row
  if (kind === 'error') return `error ${path}`
  if (kind === 'event') return `event ${event}`
  return locate(row)?.subject ?? JSON.stringify([operation, event, path])
}

/** Whether the contract has learned the row since an earlier release stored it. */
function isKnownByNow(row: StoredDrift): boolean {
  const { kind, operation, event, path, value, sample } = row
  const entry = platformEntries.get(operation)
  if (!entry) return true
  switch (kind) {
    case 'event':
      return event !== null && findEventSchema(operation, event) !== undefined
    case 'status':
      return isExpectedStatus(entry, Number(value))
    case 'field':
      return Boolean(locate(row)?.node)
    case 'word':
      return locate(row)?.node?.knownValues?.has(value ?? '') ?? false
    case 'missing':
      return locate(row)?.node?.isOptional ?? false
    case 'error': {
      // The sample of a new field is the field, of any other difference the body.
      const body = value === 'field' ? { [path]: sample } : sample
      const isForm = value === 'field' || value === 'text' || asRecord(body) !== null
      return (
        isForm && !observeError(entry, 404, body, new Map()).some((one) => one.path === path && one.value === value)
      )
    }
    case 'type':
      return false
  }
}

interface Location {
  /** The node at the path; undefined if the contract has none. */
  node: SchemaNode | undefined
  /** The path from the innermost named record around it: `Usage.latency`; null outside of one. */
  subject: string | null
}

/** The place of a path of a reply or event in the contract; null if it knows neither. */
function locate({ operation, event, path }: DriftPlace): Location | null {
  const schema = event === null ? platformEntries.get(operation)?.reply : findEventSchema(operation, event)
  if (!schema) return null
  let node: SchemaNode | undefined = getSchemaTree(schema)
  let subject: string | null = null
  for (const step of path.match(/\[\]|[^.[\]]+/g) ?? []) {
    const named = node && findNamed(node)
    if (named) subject = named
    node = node && findChild(node, step)
    if (subject !== null) subject += step === '[]' ? step : `.${step}`
  }
  return { node, subject }
}

const findNamed = ({ name, options }: SchemaNode): string | undefined =>
  name ?? options?.find((option) => option.name !== undefined)?.name

function findChild(node: SchemaNode, step: string): SchemaNode | undefined {
  if (node.options) return node.options.map((option) => findChild(option, step)).find((child) => child !== undefined)
  if (step === '[]') return node.type === 'list' ? node.item : undefined
  return node.fields?.get(step) ?? (node.type === 'names' ? node.item : undefined)
}
