import { expect, it } from 'vitest'
import { TIMEOUTS_MS, toTransportProblem, parseRetryAfter } from './upstream.ts'

const NOW = Date.parse('2026-11-21T15:00:00Z')

it('reads Retry-After as seconds or as a date, and nothing else', () => {
  expect(parseRetryAfter('7', NOW)).toBe(7)
  expect(parseRetryAfter('Sat, 21 Nov 2026 15:01:30 GMT', NOW)).toBe(90)
  for (const odd of [undefined, '', '0', 'soon', '-3', 'Sat, 21 Nov 2026 14:00:00 GMT', '9'.repeat(400)])
    expect(parseRetryAfter(odd, NOW)).toBeUndefined()
})

it('says how long a silent platform was waited for', () => {
  const silent = Object.assign(new Error('body timeout'), { code: 'UND_ERR_BODY_TIMEOUT' })
  expect(toTransportProblem(silent)).toEqual({
    kind: 'cut',
    message: `The platform sent nothing for ${TIMEOUTS_MS.silence / 1000} s.`,
  })
  const late = Object.assign(new Error('headers timeout'), { code: 'UND_ERR_HEADERS_TIMEOUT' })
  expect(toTransportProblem(late)).toMatchObject({ kind: 'late' })
})
