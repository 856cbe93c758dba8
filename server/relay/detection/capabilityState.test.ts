import { expect, test } from 'vitest'
import { toCapabilityState } from './capabilityState.ts'

const read = (status: number, body: unknown, given: { namesResource?: boolean; isProbe?: boolean } = {}) =>
  toCapabilityState({ status, body, namesResource: false, isProbe: true, ...given })
const HTML = undefined
const error = (status: number, code: string, message: string) => [status, { code, message, status }] as const

test('a reply in the platform’s own shape and a router’s page mean different things', () => {
  expect(read(200, {})?.state).toBe('offered')
  expect(read(404, HTML, { namesResource: true })?.state).toBe('missing')
  expect(read(405, HTML)?.state).toBe('missing')
  expect(read(...error(404, 'not_found', 'Dataset not found.'), { namesResource: true })).toBeNull()
  expect(read(...error(404, 'not_found', 'The requested URL was not found.'), { namesResource: true })?.state).toBe(
    'missing',
  )
  expect(read(...error(401, 'unauthorized', 'Access token is invalid'))).toBeNull()
  expect(read(...error(500, 'unknown', 'Internal Server Error'))).toBeNull()
})

test('what a release cannot carry out is broken, with its message, but only where no thing was named', () => {
  const account = 'current_user must be an Account instance'
  expect(read(...error(400, 'invalid_param', account), { isProbe: false })).toEqual({
    state: 'broken',
    message: account,
  })
  const uri = 'Dataset not found. You have requested this URI [/v1/datasets/tags] but did you mean /v1/datasets ?'
  expect(read(...error(404, 'not_found', uri))).toEqual({ state: 'broken', message: uri })
  expect(read(...error(404, 'not_found', uri), { namesResource: true })).toBeNull()
})

test('another app mode refuses the operation; a refused request of a person refuses that request alone', () => {
  const mode = error(400, 'not_workflow_app', 'Please check if your app mode matches the right API route.')
  expect(read(...mode, { isProbe: false })?.state).toBe('refused')
  const forbidden = error(403, 'forbidden', 'The dataset API is switched off.')
  expect(read(...forbidden)).toEqual({ state: 'refused', message: 'The dataset API is switched off.' })
  expect(read(...forbidden, { isProbe: false })).toBeNull()
})
