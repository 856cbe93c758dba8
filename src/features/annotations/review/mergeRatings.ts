import type { EndpointReply } from '#contract/endpoint.ts'
import type { AppFeedback } from '#contract/platform/optionalMessages.ts'
import type { Run } from '#contract/console/runs.ts'
import type { reviewEndpoints } from '#contract/console/review.ts'

export type LedgerMessage = EndpointReply<typeof reviewEndpoints.findRatedMessages>['data'][number]

/** One page of the platform's ratings, and what the ledger knows of their messages. */
export interface RatingPage {
  feedbacks: AppFeedback[]
  ledgerMessages: LedgerMessage[]
}

/** Who gave a rating: a person through this console, an end user at the platform, or an operator at the platform. */
export type RatingOrigin = 'here' | 'endUser' | 'operator'

export interface MessageRating {
  id: string
  rating: string
  comment: string
  /** ISO 8601; null if the platform names no time. */
  at: string | null
  origin: RatingOrigin
}

export interface RatedMessage {
  /** Null if the platform names no message. */
  message_id: string | null
  conversation_id: string | null
  /** The platform's id of the end user who asked. */
  end_user_id: string | null
  run: Run | null
  /** In the order of the platform. */
  ratings: MessageRating[]
}

/**
 * The rated messages of all loaded pages in the order of the platform. Each message appears once, with all its ratings: a
 * user and an operator may both have rated it. A rating that moved to the next page while pages were loaded counts once.
 */
export function mergeRatedMessages(pages: readonly RatingPage[]): RatedMessage[] {
  const known = new Map(pages.flatMap(({ ledgerMessages }) => ledgerMessages.map((one) => [one.message_id, one])))
  const merged = new Map<string, RatedMessage>()
  const seenIds = new Set<string>()
  for (const feedback of pages.flatMap(({ feedbacks }) => feedbacks)) {
    if (!feedback.rating || seenIds.has(feedback.id)) continue
    seenIds.add(feedback.id)
    const message_id = feedback.message_id ?? null
    const ledgerMessage = message_id === null ? undefined : known.get(message_id)
    const key = message_id ?? `feedback ${feedback.id}`
    const message = merged.get(key) ?? {
      message_id,
      conversation_id: feedback.conversation_id ?? ledgerMessage?.run?.conversation_id ?? null,
      end_user_id: null,
      run: ledgerMessage?.run ?? null,
      ratings: [],
    }
    message.end_user_id ??= feedback.from_end_user_id ?? null
    message.ratings.push({
      id: feedback.id,
      rating: feedback.rating,
      comment: feedback.content?.trim() ?? '',
      at: feedback.updated_at ?? feedback.created_at ?? null,
      origin: getOrigin(feedback, ledgerMessage),
    })
    merged.set(key, message)
  }
  return [...merged.values()]
}

/** A rating through this console comes back as one of the end user whom the console named. */
const getOrigin = (feedback: AppFeedback, known: LedgerMessage | undefined): RatingOrigin =>
  feedback.from_source === 'admin' ? 'operator' : known?.rating === feedback.rating ? 'here' : 'endUser'
