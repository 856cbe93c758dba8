import { expect, test } from 'vitest'
import type { AppFeedback } from '#contract/platform/optionalMessages.ts'
import { type LedgerMessage, mergeRatedMessages } from './usePlatformRatings.ts'

const feedback = (id: string, message_id: string | null, given: Partial<AppFeedback> = {}): AppFeedback => ({
  id,
  message_id,
  conversation_id: 'conversation',
  rating: 'dislike',
  content: null,
  from_source: 'user',
  from_end_user_id: 'end-user',
  created_at: '2026-11-20T10:00:00',
  updated_at: '2026-11-21T10:00:00',
  ...given,
})
const known = (message_id: string, rating: LedgerMessage['rating']): LedgerMessage => ({
  message_id,
  rating,
  run: null,
})

test('a rating given through this console is told from one of an end user and one of an operator', () => {
  const feedbacks = [
    feedback('1', 'a', { content: ' Wrong. ' }),
    feedback('2', 'b'),
    feedback('3', 'c', { rating: 'like' }),
    feedback('4', 'd', { from_source: 'admin', from_end_user_id: null }),
  ]
  // The end user of c changed the rating on the platform after it was rated here.
  const ledgerMessages = [known('a', 'dislike'), known('c', 'dislike'), known('d', 'dislike')]
  const merged = mergeRatedMessages([{ feedbacks, ledgerMessages }])
  expect(merged.map(({ message_id, ratings }) => [message_id, ratings[0]?.origin, ratings[0]?.comment])).toEqual([
    ['a', 'here', 'Wrong.'],
    ['b', 'endUser', ''],
    ['c', 'endUser', ''],
    ['d', 'operator', ''],
  ])
  expect(merged[0]?.ratings[0]?.at).toBe('2026-11-21T10:00:00')
})

test('a message appears once with all its ratings, and a rating that two pages list counts once', () => {
  const merged = mergeRatedMessages([
    { feedbacks: [feedback('1', 'a'), feedback('2', 'b')], ledgerMessages: [] },
    {
      feedbacks: [
        feedback('2', 'b'),
        feedback('3', 'a', { from_source: 'admin', rating: 'like' }),
        feedback('4', 'c', { rating: null }),
        feedback('5', null),
        feedback('6', null),
      ],
      ledgerMessages: [],
    },
  ])
  expect(merged.map(({ message_id, ratings }) => [message_id, ...ratings.map(({ id }) => id)])).toEqual([
    ['a', '1', '3'],
    ['b', '2'],
    [null, '5'],
    [null, '6'],
  ])
})
