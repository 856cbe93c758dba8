import type { Pool } from 'pg'
import { adjacent } from '#contract/adjacent.ts'
import { Annotation, AnnotationWrite } from '#contract/annotations.ts'
import { ProblemError } from '#contract/problem.ts'
import type { CallRow } from '../ledger/call.ts'
import { LIMITS, parsed, readText, type Upstream } from '../relay/upstream.ts'
import type { Credential } from '../vault/vault.ts'

/** Milliseconds in which a platform may still be at a request whose sender is gone. */
const STILL = 10_000
/** Seconds by which a platform's clock may be behind. */
const CLOCKS = 60
/** Characters of a question that a list is searched for: platforms cut a longer keyword. */
const KEYWORD = 100
const PAGES = 5

/**
 * Whether the annotation of a call that was cut off is there, by the platform's list: the record, `not made`, `too early`
 * to say, or `nobody knows` where the platform lists none. One that another call made, or that is older, is not this one's.
 */
export async function annotationMade(
  call: CallRow,
  { pool, upstream, credential }: { pool: Pool; upstream: Upstream; credential: Credential },
): Promise<Record<string, unknown> | 'not made' | 'too early' | 'nobody knows'> {
  const asked = AnnotationWrite.safeParse(call.request)
  if (!asked.success) return 'nobody knows'
  const { question, answer } = asked.data
  for (let page = 1; page <= PAGES; page++) {
    const list = await listed(upstream, credential, call.id, question.slice(0, KEYWORD), page)
    if (!list) return 'nobody knows'
    for (const one of list.data) {
      if (one.question?.trim() !== question || one.answer?.trim() !== answer) continue
      if ((one.created_at ?? Infinity) < call.created_at.getTime() / 1000 - CLOCKS) continue
      const { rowCount } = await pool.query('SELECT 1 FROM calls WHERE touched @> $1 AND id <> $2 LIMIT 1', [
        [one.id],
        call.id,
      ])
      if (!rowCount) return one
    }
    if (!list.has_more) return Date.now() - call.created_at.getTime() < STILL ? 'too early' : 'not made'
  }
  return 'nobody knows'
}

/** Null where the platform does not list annotations, or cannot now. */
async function listed(upstream: Upstream, credential: Credential, id: string, keyword: string, page: number) {
  try {
    const query = new URLSearchParams({ keyword, page: String(page), limit: '100' })
    const path = `${adjacent.listAnnotations.path}?${query}`
    const patience = LIMITS.read
    const reply = await upstream.send(credential, { method: 'GET', path, accept: 'application/json', patience }, id)
    const text = await readText(reply)
    if (reply.status !== 200) return null
    const body = parsed(text) as { data?: unknown; has_more?: unknown } | undefined
    const data = Annotation.array().safeParse(body?.data)
    return data.success ? { data: data.data, has_more: body?.has_more === true } : null
  } catch (error) {
    if (error instanceof ProblemError) return null
    throw error
  }
}
