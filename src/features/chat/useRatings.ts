import { useMemo } from 'react'
import type { Key } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import { useRead } from '../../wire/query.ts'

/** As many messages as the platform gives at once; of older ones nobody's word is known. */
const MOST = 100

/** A person's word on each answer of a conversation, by message, where the platform tells it. */
export function useRatings(app: Key, conversation: string | null, user: string | null): ReadonlyMap<string, string> {
  const isTold = app.offers.includes('feedback') && app.offers.includes('listMessages')
  const query = { conversation_id: conversation ?? '', limit: MOST, ...(user === null ? {} : { user }) }
  const read = useRead(
    contract.adjacent.listMessages,
    { key: app.id, query },
    { enabled: isTold && conversation !== null && user !== null },
  )
  const messages = read.isPlaceholderData ? undefined : read.data?.data
  return useMemo(
    () => new Map((messages ?? []).flatMap(({ id, feedback }) => (feedback?.rating ? [[id, feedback.rating]] : []))),
    [messages],
  )
}
