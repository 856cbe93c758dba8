import { z } from 'zod'
import { type CheckScore, UndecidableCheckError } from '../checkedResult.ts'
import { findJsonInText } from '../jsonChecks.ts'
import { toExcerpt } from '../textChecks.ts'
import { truncateText } from '#contract/truncatedText.ts'

/** Models also write numbers and booleans as text. */
const ReplySchema = z.object({
  pass: z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]),
  score: z
    .union([z.number(), z.string().trim().min(1).transform(Number)])
    .pipe(z.number().min(0).max(1))
    .optional(),
  reason: z.string().default(''),
})
export interface JudgeReply {
  isPassed: boolean
  score: number
  reason: string
}

/** Characters of a judge's reason that are stored. */
const MAX_REASON_CHARS = 2_000

/** The last valid object in a judge's text, which may be in a code fence or between words; null without one. */
export function parseJudgeReply(text: string): JudgeReply | null {
  const replies = findJsonInText(text).flatMap((value) => ReplySchema.safeParse(value).data ?? [])
  const reply = replies.at(-1)
  if (!reply) return null
  const { pass, score = pass ? 1 : 0, reason } = reply
  return { isPassed: pass, score, reason: truncateText(reason, MAX_REASON_CHARS) }
}

/** The score from the replies of a judge: one, or two for a pair in both orders. @throws UndecidableCheckError */
export function toJudgedScore([first, second]: readonly JudgeReply[]): CheckScore {
  if (!first) throw new UndecidableCheckError('No judge was asked.')
  if (second) return toPairedScore(first, second)
  const reason = first.reason === '' ? 'The judge gave no reason.' : first.reason
  return { score: first.score, threshold: 0, ...(first.isPassed ? {} : { isRejected: true }), reason }
}

/** A judge that prefers one position, whichever answer is there, has not compared them. */
function toPairedScore(first: JudgeReply, second: JudgeReply): CheckScore {
  const [asFirst, asSecond] = [toPreference(first), toPreference(second)]
  if (asFirst !== 0 && asFirst === asSecond)
    throw new UndecidableCheckError(
      `The judge prefers the ${asFirst > 0 ? 'first' : 'second'} answer in both orders: ${toExcerpt(first.reason)}`,
    )
  const result = PAIR_RESULTS[Math.sign(asFirst - asSecond) + 1]
  return { score: (first.score + 1 - second.score) / 2, threshold: 0.5, reason: `${result}: ${first.reason}` }
}

const PAIR_RESULTS = ['Worse than the other answer', 'As good as the other answer', 'Better than the other answer']

/** 1 for the first answer, -1 for the second, 0 for neither. */
const toPreference = ({ score }: JudgeReply): number => Math.sign(score - 0.5)
