import type { Pool } from 'pg'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { Annotation, AnnotationInput } from '#contract/platform/annotations.ts'
import { ProblemError } from '#contract/problem.ts'
import type { CallRow } from '../ledger/callRow.ts'
import { TIMEOUTS_MS, parseJson, readRedactedText, type UpstreamClient } from '../relay/upstream/upstream.ts'
import type { PlatformCredential } from '../vault/vault.ts'

/** Milliseconds for which a platform may still process a request after its client disconnected. */
const IN_FLIGHT_MS = 10_000
/** The maximum clock skew of a platform, in seconds. */
const MAX_CLOCK_SKEW_S = 60
/** Characters of a question that are searched for: platforms truncate a longer keyword. */
const MAX_KEYWORD_CHARS = 100
const MAX_PAGES = 5

/**
 * Looks for the annotation of an interrupted call in the platform's list: the record, `not made`, `too early` or,
 * where the platform has no list, `nobody knows`. Annotations that are older or belong to another call do not count.
 */
export async function findCreatedAnnotation(
  call: CallRow,
  { pool, upstream, credential }: { pool: Pool; upstream: UpstreamClient; credential: PlatformCredential },
): Promise<Record<string, unknown> | 'not made' | 'too early' | 'nobody knows'> {
  const annotationInput = AnnotationInput.safeParse(call.request)
  if (!annotationInput.success) return 'nobody knows'
  const { question, answer } = annotationInput.data
  for (let page = 1; page <= MAX_PAGES; page++) {
    const list = await listAnnotationsPage(upstream, credential, call.id, question.slice(0, MAX_KEYWORD_CHARS), page)
    if (!list) return 'nobody knows'
    for (const annotation of list.data) {
      if (annotation.question?.trim() !== question || annotation.answer?.trim() !== answer) continue
      if ((annotation.created_at ?? Infinity) < call.created_at.getTime() / 1000 - MAX_CLOCK_SKEW_S) continue
      const { rowCount } = await pool.query('SELECT 1 FROM calls WHERE resource_ids @> $1 AND id <> $2 LIMIT 1', [
        [annotation.id],
        call.id,
      ])
      if (!rowCount) return annotation
    }
    if (!list.has_more) return Date.now() - call.created_at.getTime() < IN_FLIGHT_MS ? 'too early' : 'not made'
  }
  return 'nobody knows'
}

/** Null where the platform does not support the list, or the list fails now. */
async function listAnnotationsPage(
  upstream: UpstreamClient,
  credential: PlatformCredential,
  id: string,
  keyword: string,
  page: number,
) {
  try {
    const query = new URLSearchParams({ keyword, page: String(page), limit: '100' })
    const path = `${optionalEndpoints.listAnnotations.path}?${query}`
    const timeoutMs = TIMEOUTS_MS.read
    const reply = await upstream.send(credential, { method: 'GET', path, accept: 'application/json', timeoutMs }, id)
    const text = await readRedactedText(reply)
    if (reply.status !== 200) return null
    const body = parseJson(text) as { data?: unknown; has_more?: unknown } | undefined
    const data = Annotation.array().safeParse(body?.data)
    return data.success ? { data: data.data, has_more: body?.has_more === true } : null
  } catch (error) {
    if (error instanceof ProblemError) return null
    throw error
  }
}
