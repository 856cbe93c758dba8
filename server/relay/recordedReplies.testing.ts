import { expect, it } from 'vitest'
import { findPlatformEntry } from '#contract/platformEntries.ts'
import type { Problem } from '#contract/problem.ts'
import { replayExchange } from '#support/platforms/replayPlatform.ts'
import {
  getContentType,
  isRefusal,
  isStream,
  readRecordings,
  type RecordedExchange,
} from '#support/recordings/recordings.ts'
import { TestConsole } from '../app.testing.ts'
import { getKeyKind, toTestRequest } from './requests.testing.ts'

/** The entry of a recorded request, where the console has a route that passes the reply on as it is. */
function findRelayedEntry(exchange: RecordedExchange) {
  const found = findPlatformEntry(exchange.request.method, exchange.request.path)
  return found && !found.entry.isServerOnly && (found.entry.mediaType || !isStream(exchange)) ? found : null
}

/** The same reply through the relay, and how it differs from the recorded one; null if it does not. */
async function compareRelayed(testConsole: TestConsole, exchange: RecordedExchange): Promise<string | null> {
  const found = findRelayedEntry(exchange)
  if (!found) return null
  testConsole.platform.script = (_seen, response) => replayExchange(exchange, response)
  const { body, headers } = toTestRequest(found.entry, testConsole.keys)
  const key = testConsole.keys[getKeyKind(found.entry)]
  const [path = '', query = ''] = exchange.request.path.split('?')
  // A query that our own schema refuses would not reach the platform.
  const isValidQuery = found.entry.query?.safeParse(Object.fromEntries(new URLSearchParams(query))).success
  const asked = typeof body === 'object' && 'response_mode' in body ? { ...body, response_mode: 'blocking' } : body
  const reply = await testConsole.fetch(
    found.entry.method,
    `/api/keys/${key}${path}${isValidQuery ? `?${query}` : ''}`,
    asked,
    headers,
  )
  const text = await reply.text()
  const { status, body: recorded } = exchange.response
  const { mediaType } = found.entry
  const isMismatch = mediaType !== null && !isRefusal(exchange) && !getContentType(exchange).startsWith(mediaType)
  if (!isRefusal(exchange) && !isMismatch)
    return reply.status === status && text === recorded ? null : `${reply.status} ${text} is not ${status} ${recorded}`
  const { kind, message, upstream } = JSON.parse(text) as Problem
  const expected = isMismatch
    ? [502, 'mismatch', { status, body: recorded }]
    : [424, 'refused', { status, body: parseBody(recorded) }]
  if (JSON.stringify([reply.status, kind, upstream]) !== JSON.stringify(expected))
    return `${reply.status} ${text} does not hold ${status} ${recorded}`
  return UNREADABLE_PATTERN.test(message) || message === '' ? `“${message}” is not for people` : null
}

/** Parts of a platform's own language that nobody should have to read. */
const UNREADABLE_PATTERN =
  /validation error|\[type=|pydantic|have requested this URI|<|\{|Input payload|\n|right API route/

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** Each recorded reply of a folder through the relay. */
export const testReplies = (title: string, folder: string, counts: { replies: number; refusals: number }) => () => {
  const testConsole = TestConsole.forFile(undefined, { RATE_LIMIT_FACTOR: '1000' })

  it(`${title}: a success passes byte for byte, a refusal as 424 and another type as 502 with the platform’s status and body inside`, async () => {
    const relayed = readRecordings(folder)
      .flatMap(({ exchanges }) => exchanges)
      .filter((exchange) => findRelayedEntry(exchange))
    const differences: string[] = []
    for (const exchange of relayed) {
      const difference = await compareRelayed(testConsole, exchange)
      if (difference !== null) differences.push(`${exchange.name}: ${difference}`)
    }
    expect(differences).toEqual([])
    const refusals = relayed.filter(isRefusal).length
    expect({ replies: relayed.length - refusals, refusals }).toEqual(counts)
  })
}
