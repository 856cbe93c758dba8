import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Resource } from '#contract/console/resources.ts'
import { listConversations } from './useConversations.ts'

const toResource = (id: string, label: string | null, at: number) =>
  ({ id, label, last_seen: new Date(at * 1000).toISOString() }) as Resource
const toConversation = (id: string, name: string, updated_at: number) => ({ id, name, updated_at })

test('a conversation that both know is listed once, by the platform’s name and time', () => {
  const listed = listConversations(
    [toResource('a', 'old name', 900), toResource('b', null, 500)],
    [toConversation('a', 'new name', 100)],
    '',
  )
  expect(listed).toEqual([
    { id: 'b', label: null, updatedAt: 500_000, source: 'console' },
    { id: 'a', label: 'new name', updatedAt: 100_000, source: 'both' },
  ])
})

test('a conversation that the platform has not named yet has its first question as name', () => {
  const listed = listConversations(
    [toResource('a', 'Why is tea green?', 900), toResource('b', null, 800)],
    [toConversation('a', 'New conversation', 2), toConversation('b', 'New conversation', 1)],
    '',
  )
  expect(listed.map(({ label }) => label)).toEqual(['Why is tea green?', 'New conversation'])
})

test('every conversation is there once, the newest first', () => {
  const anId = fc.nat(20).map(String)
  const aTime = fc.integer({ min: 1, max: 2_000_000_000 })
  fc.assert(
    fc.property(fc.array(fc.tuple(anId, aTime)), fc.array(fc.tuple(anId, aTime)), (seen, listed) => {
      const all = listConversations(
        seen.map(([id, at]) => toResource(id, null, at)),
        listed.map(([id, at]) => toConversation(id, id, at)),
        '',
      )
      expect(new Set(all.map(({ id }) => id))).toEqual(new Set([...seen, ...listed].map(([id]) => id)))
      expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
      expect(all.map(({ updatedAt }) => updatedAt)).toEqual(all.map(({ updatedAt }) => updatedAt).sort((a, b) => b - a))
    }),
  )
})
