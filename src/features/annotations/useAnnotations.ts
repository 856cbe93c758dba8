import { optionalAnnotationEndpoints } from '#contract/platform/optionalAnnotations.ts'
import { resourceEndpoints, type Resource } from '#contract/console/resources.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { asRecord } from '#domain/stream/untrustedJson.ts'
import { useRead } from '../../client/query.ts'

/** An annotation of a list; null for missing values. */
export interface AnnotationRow {
  id: string
  question: string | null
  answer: string | null
  hit_count: number | null
  /** Unix seconds. */
  created_at: number | null
}

interface AnnotationQuery {
  q: string | undefined
  page: string | undefined
  limit: string | undefined
}

/** The annotations of an app, from the platform if it lists them, else from the ledger. */
export function useAnnotations(workspace: string, app: Key, { q, page, limit }: AnnotationQuery) {
  const isFromPlatform = app.offers.includes('listAnnotations')
  const platformRead = useRead(
    optionalAnnotationEndpoints.listAnnotations,
    { key: app.id, query: { keyword: q, page, limit } },
    { enabled: isFromPlatform },
  )
  const ledgerRead = useRead(
    resourceEndpoints.listResources,
    { query: { kind: 'annotation', workspace, parent: app.id, q, page, limit } },
    { enabled: !isFromPlatform },
  )
  const platform = platformRead.data && {
    rows: platformRead.data.data.map(toAnnotationRow),
    total: platformRead.data.total ?? platformRead.data.data.length,
    page: platformRead.data.page ?? Number(page ?? 1),
    limit: platformRead.data.limit ?? Number(limit ?? 20),
  }
  const ledger = ledgerRead.data && { ...ledgerRead.data, rows: ledgerRead.data.data.map(toAnnotationRowFromResource) }
  const { error, refetch, fetchStatus, dataUpdatedAt } = isFromPlatform ? platformRead : ledgerRead
  const data:
    | { rows: AnnotationRow[]; total: number; total_capped?: boolean; page: number; limit: number }
    | undefined = isFromPlatform ? platform : ledger
  return { read: { data, error, refetch, fetchStatus, dataUpdatedAt }, isFromPlatform }
}

interface AnnotationRecordFields {
  id: string
  question?: string | null | undefined
  answer?: string | null | undefined
  hit_count?: number | null | undefined
  created_at?: number | null | undefined
}

export const toAnnotationRow = ({
  id,
  question,
  answer,
  hit_count,
  created_at,
}: AnnotationRecordFields): AnnotationRow => ({
  id,
  question: question ?? null,
  answer: answer ?? null,
  hit_count: hit_count ?? null,
  created_at: created_at ?? null,
})

/** Maps the last record in the ledger. */
export function toAnnotationRowFromResource({ id, label, payload }: Resource): AnnotationRow {
  const { question, answer, hit_count, created_at } = asRecord(payload) ?? {}
  return {
    id,
    question: typeof question === 'string' ? question : label,
    answer: typeof answer === 'string' ? answer : null,
    hit_count: typeof hit_count === 'number' ? hit_count : null,
    created_at: typeof created_at === 'number' ? created_at : null,
  }
}

/** One annotation: from the list, else from its last record in the ledger; null if unknown. */
export function useAnnotation(workspace: string, annotation_id: string | null, listedRow: AnnotationRow | null) {
  const ledgerRead = useRead(
    resourceEndpoints.listResources,
    { query: { kind: 'annotation', workspace, id: annotation_id ?? '', limit: 1 } },
    { enabled: annotation_id !== null && !listedRow },
  )
  const resource = ledgerRead.data?.data.find(({ id }) => id === annotation_id)
  return {
    row: listedRow ?? (resource ? toAnnotationRowFromResource(resource) : null),
    isPending: annotation_id !== null && !listedRow && ledgerRead.isPending,
  }
}
