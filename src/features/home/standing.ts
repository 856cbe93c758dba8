import type { z } from 'zod'
import type { Attention } from '#contract/figures.ts'
import type { contract } from '#contract/index.ts'
import { isFinal } from '#contract/records.ts'
import type { Answered } from '../../wire/query.ts'

type Remembered = Attention['stalled'][number]
type Documents = z.output<typeof contract.documents.list.reply>

/** What is known of a remembered document now; null where it goes on, or where that is still being asked. */
export function standing(remembered: Remembered, asked: Answered<Documents> | undefined): Remembered | null {
  if (asked === undefined) return remembered
  const { data, problem } = asked
  if (problem) return problem.upstream?.status === 404 ? null : remembered
  if (!data) return null
  const now = data.data.find(({ id }) => id === remembered.document)
  if (now) return isFinal(now) ? null : { ...remembered, state: now.indexing_status ?? remembered.state }
  const isWhole = data.total !== undefined && data.total !== null && data.total <= data.data.length
  return isWhole ? null : remembered
}
