import type { Key, Thing } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import { asRecord } from '#contract/untrusted.ts'
import { useRead } from '../../wire/query.ts'

/** An annotation of a list; null for what was not given. */
export interface AnnotationRow {
  id: string
  question: string | null
  answer: string | null
  hit_count: number | null
  /** As `Since` takes it: seconds. */
  created_at: number | null
}

export interface AnnotationQuery {
  q: string | undefined
  page: string | undefined
  limit: string | undefined
}

/** The annotations of an app, from the platform where it lists them, else those that the ledger has seen. */
export function useAnnotations(workspace: string, app: Key, { q, page, limit }: AnnotationQuery) {
  const isListed = app.offers.includes('listAnnotations')
  const listed = useRead(
    contract.adjacent.listAnnotations,
    { key: app.id, query: { keyword: q, page, limit } },
    { enabled: isListed },
  )
  const seen = useRead(
    contract.console.listThings,
    { query: { kind: 'annotation', workspace, parent: app.id, q, page, limit } },
    { enabled: !isListed },
  )
  const platform = listed.data && {
    rows: listed.data.data.map(rowOf),
    total: listed.data.total ?? listed.data.data.length,
    page: listed.data.page ?? Number(page ?? 1),
    limit: listed.data.limit ?? Number(limit ?? 20),
  }
  const ledger = seen.data && { ...seen.data, rows: seen.data.data.map(rowOfThing) }
  const { error, refetch, isFetching, dataUpdatedAt } = isListed ? listed : seen
  const data: { rows: AnnotationRow[]; total: number; beyond?: boolean; page: number; limit: number } | undefined =
    isListed ? platform : ledger
  return { data, error, refetch, isFetching, dataUpdatedAt, isListed }
}

interface Recorded {
  id: string
  question?: string | null | undefined
  answer?: string | null | undefined
  hit_count?: number | null | undefined
  created_at?: number | null | undefined
}

export const rowOf = ({ id, question, answer, hit_count, created_at }: Recorded): AnnotationRow => ({
  id,
  question: question ?? null,
  answer: answer ?? null,
  hit_count: hit_count ?? null,
  created_at: created_at ?? null,
})

/** What the ledger has of one: the last record that came. */
export function rowOfThing({ id, label, payload }: Thing): AnnotationRow {
  const { question, answer, hit_count, created_at } = asRecord(payload) ?? {}
  return {
    id,
    question: typeof question === 'string' ? question : label,
    answer: typeof answer === 'string' ? answer : null,
    hit_count: typeof hit_count === 'number' ? hit_count : null,
    created_at: typeof created_at === 'number' ? created_at : null,
  }
}
