import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readErrorReply, readInputRefusal, readPlatformError } from './readPlatformError.ts'

const VALIDATOR_TEXT = [
  '2 validation errors for ThingPayload',
  'title',
  "  Field required [type=missing, input_value={'a': 1}, input_type=dict]",
  '    For further information visit https://errors.example/2.12/v/missing',
  'model.mode',
  "  Input should be a valid string [type=string_type, input_value={'x': ['y']}, input_type=dict]",
  '    For further information visit https://errors.example/2.12/v/string_type',
].join('\n')

test('a validator’s text becomes fields and reasons, and one sentence', () => {
  expect(readPlatformError(400, { code: 'invalid_param', message: VALIDATOR_TEXT, status: 400 })).toEqual({
    message: 'title is required (and 1 more)',
    fields: [
      { path: 'title', message: 'is required' },
      { path: 'model.mode', message: 'should be a valid string' },
    ],
  })
  const whole =
    '1 validation error for Payload\n  Value error, Give a question or a file [type=value_error, input_type=dict]'
  expect(readPlatformError(400, { code: 'invalid_param', message: whole })).toEqual({
    message: 'Give a question or a file',
  })
})

test('the argument parser’s form names its fields', () => {
  const errors = {
    size: 'Size in cm. Missing required parameter in the JSON body',
    name: 'type is required. Too long. Too long.',
  }
  expect(readPlatformError(400, { errors, message: 'Input payload validation failed' })).toEqual({
    message: 'size is required (and 1 more)',
    fields: [
      { path: 'size', message: 'is required' },
      { path: 'name', message: 'Too long.' },
    ],
  })
  expect(readPlatformError(400, { errors: { limit: 'Not a number.' } }).message).toBe('limit: Not a number.')
})

test.each([
  [400, { error: 'Parts are required' }, 'Parts are required'],
  [404, { code: 'not_found', message: 'Shelf Not Exists. You have requested this URI [/v1/x] but did you mean /v1/y ?' }, 'Shelf Not Exists.'],
  [413, { code: 'file_too_large', message: 'File size exceeded. {message}', status: 413 }, 'File size exceeded.'],
  [413, { code: 'file_too_large', message: '', status: 413 }, 'The file is larger than the platform accepts.'],
  [400, { code: 'invalid_param', message: '', status: 400 }, 'The platform refused the request (invalid_param) and gave no reason.'],
  [500, { message: 'Internal Server Error', code: 'unknown', status: 500 }, 'The platform failed with an internal error.'],
  [400, { code: 'not_chat_app', message: 'Please check if your app mode matches the right API route.' }, 'The key belongs to an app of another kind.'],
  [400, { code: 'agent_not_published', message: 'Not published.', status: 400 }, 'The agent is not published. Publish it on the platform. The platform says: “Not published.”'],
  [502, { code: 'plugin_runtime_error', message: '', status: 502 }, 'A plugin of the platform failed: a model, a tool or a data source.'],
  [400, { code: 'invalid_param', message: 'Arg user must be provided.' }, 'user is required'],
  [404, '<!doctype html>\n<title>404 Not Found</title>\n<h1>No</h1>', 'The platform does not know this URL: it does not offer the operation, or an id is invalid.'],
  [502, '<html><head><title>502 Bad Gateway</title></head></html>', 'The platform answered 502 with the page “502 Bad Gateway”.'],
  [503, 'over capacity', 'The platform answered 503: “over capacity”.'],
  [503, '', 'The platform answered 503.'],
  [502, '\u0000\u0001binary', 'The platform answered 502.'],
  [503, '<html><body><h1>503 Service Unavailable</h1>\nNo server is available.</body></html>', 'The platform answered 503 with the page “503 Service Unavailable”.'],
  [403, '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>', 'The platform answered 403 with the page “Access Denied”.'],
  [422, { detail: [{ loc: ['body', 'inputs', 'city'], msg: 'field required', type: 'missing' }] }, 'inputs.city is required'],
  [422, { detail: [{ loc: ['query', 'limit'], msg: 'Input should be a valid integer' }, { loc: ['body', 'a', 0], msg: 'Value error, no' }] }, 'limit should be a valid integer (and 1 more)'],
  [401, { detail: 'Not authenticated' }, 'Not authenticated'],
  [401, { error: { message: 'Incorrect API key provided', type: 'invalid_request_error', code: null } }, 'Incorrect API key provided'],
  [401, { error: 'invalid_token', error_description: 'The token has expired' }, 'The token has expired'],
  [500, { code: 500, msg: 'system busy', data: null }, 'system busy'],
  [404, { message: { error: 'no Route matched with those values' } }, 'no Route matched with those values'],
  [400, { errors: [{ message: 'Bad model', path: ['a'] }] }, 'Bad model'],
  [400, { type: 'about:blank', title: 'Bad Request', detail: 'No user.' }, 'No user.'],
  [500, { fault: { faultstring: 'Spike arrest violation', detail: { errorcode: 'x' } } }, 'Spike arrest violation'],
])('%i %j is told as: %s', (status, body, message) => {
  expect(readPlatformError(status, body).message).toBe(message)
}) // prettier-ignore

test.each([
  [{ code: 'unauthorized', message: 'token expired', status: 401 }, 'token expired'],
  [{ error: { message: 'quota' } }, 'quota'],
  [{ detail: [{ loc: ['body', 'inputs', 'city'], msg: 'field required' }] }, 'inputs.city is required'],
  [{ msg: 'no such tenant', code: 40102, data: null }, 'no such tenant'],
  [{ success: false, errorMessage: 'down' }, 'down'],
  [{ status: 'error', message: 'limit' }, 'limit'],
  [{ msg: 'ok', code: 0 }, undefined],
  [{ success: true, message: 'done' }, undefined],
  [{ message: 'done' }, undefined],
  [{ id: 'r', status: 'failed', error: 'Off.' }, undefined],
  [{ data: [{ message: 'a' }], code: 500 }, undefined],
  [[{ error: 'x' }], undefined],
])('the reply %j with a success status says: %s', (body, message) => {
  expect(readErrorReply(200, body)?.message).toBe(message)
}) // prettier-ignore

test('a refused input is named, and the platform’s own sentence stays', () => {
  expect(readInputRefusal('colour is required in input form')).toEqual({
    path: 'inputs.colour',
    message: 'is required',
  })
  expect(readInputRefusal("(type 'text-input') colour in input form must be a string")).toEqual({
    path: 'inputs.colour',
    message: 'must be a string',
  })
  expect(readInputRefusal('the model failed')).toBeNull()
  const message = "tone in input form must be one of the following: ['soft', 'loud']"
  expect(readPlatformError(400, { code: 'invalid_param', message, status: 400 })).toEqual({
    message,
    fields: [{ path: 'inputs.tone', message: "must be one of the following: ['soft', 'loud']" }],
  })
})

test('any body gives a sentence that can be shown', () => {
  fc.assert(
    fc.property(fc.integer({ min: 300, max: 599 }), fc.anything(), (status, body) => {
      const { message, fields } = readPlatformError(status, body)
      expect(message.length).toBeGreaterThan(0)
      expect(message.length).toBeLessThanOrEqual(4096)
      for (const field of fields ?? []) expect(typeof field.message).toBe('string')
    }),
    { seed: 19 },
  )
})
