import { expect, it } from 'vitest'
import { isTransient, toFailureReason } from './indexingFailure.ts'

const withCode = (code: string) => Object.assign(new Error('failed'), { code })

it('a document whose statement takes too long ends with the reason; a lost connection, a deadlock or a shutdown is tried again', () => {
  const timeout = withCode('57014')
  expect([isTransient(timeout), toFailureReason(timeout)]).toEqual([false, expect.stringContaining('took too long')])
  for (const code of ['08006', '40P01', '53300', '57P01', 'ECONNRESET'])
    expect([code, isTransient(withCode(code)), toFailureReason(withCode(code))]).toEqual([code, true, null])
  expect(toFailureReason(withCode('22001'))).toContain('internal error')
})
