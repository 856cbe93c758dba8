import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { toInvalidProblem, Problem } from './problem.ts'
import * as shape from './platform/schemas.ts'

const getFieldErrors = (schema: z.ZodType, value: unknown, part = 'body') => {
  const problem = toInvalidProblem(part, schema.safeParse(value).error!)
  return Problem.parse(problem).fields?.map(({ path, message }) => `${path} ${message}`)
}

describe('a problem with a request names the field and what would be right', () => {
  const Body = z.strictObject({
    name: z.string().trim().min(1).max(4),
    mode: z.enum(['streaming', 'blocking']).optional(),
    enabled: z.boolean().optional(),
    inputs: shape.objectField.optional(),
    ids: z.array(z.guid()).min(1).max(2).optional(),
    ratio: z.number().gt(0).max(1).optional(),
    count: z.number().int().optional(),
    at: z.iso.datetime({ offset: true }).optional(),
    members: z.array(z.union([z.string(), z.strictObject({ user_id: z.string() })])).optional(),
    weights: shape.RetrievalModel.shape.weights,
    either: z.union([z.string(), z.number()]),
    plain: z.string().regex(/^a+$/, { error: 'must be letters a' }).optional(),
  })
  const right = { name: 'x', either: 'y' }

  test.each<[string, object, string]>([
    ['missing', { name: undefined }, 'body.name is required'],
    ['empty', { name: '   ' }, 'body.name must have at least 1 character'],
    ['too long', { name: '12345' }, 'body.name must have at most 4 characters'],
    ['not of the list', { mode: 'slow' }, 'body.mode must be "streaming" or "blocking"'],
    ['no object', { inputs: [] }, 'body.inputs must be an object'],
    ['no id in a list', { ids: ['..'] }, 'body.ids.0 must be an id in UUID form'],
    ['no number', { ratio: Number.NaN }, 'body.ratio must be a number'],
    ['no time', { at: 'noon' }, 'body.at must be a time in ISO 8601 form with its zone'],
    ['neither type', { weights: 'heavy' }, 'body.weights must be a number or an object'],
    ['our own words', { plain: 'b' }, 'body.plain must be letters a'],
    ['unknown', { nmae: 'x' }, 'body.nmae is not a field of this request'],
  ])('%s', (_, wrong, said) => {
    expect(getFieldErrors(Body, { ...right, ...wrong })).toEqual([said])
  })

  test('in an alternative, the fields of the one that was meant', () => {
    expect(getFieldErrors(Body, { ...right, members: [{ user: 'u' }] })).toEqual([
      'body.members.0.user_id is required',
      'body.members.0.user is not a field of this request',
    ])
  })

  test('a body that is none', () => {
    expect(getFieldErrors(Body, null)).toEqual(['body must be an object'])
    expect(getFieldErrors(Body, undefined)).toEqual(['body is required'])
  })

  test('a number of a query', () => {
    const Query = z.strictObject({ limit: shape.limitParam })
    expect(getFieldErrors(Query, { limit: 'many' }, 'query')).toEqual(['query.limit must be a number'])
    expect(getFieldErrors(Query, { limit: '1e300' }, 'query')).toEqual(['query.limit must be at most 100'])
  })
})

test('the message says the first and counts the others', () => {
  const error = z.strictObject({ a: z.string() }).safeParse({ b: 1, c: 2 }).error!
  expect(toInvalidProblem('body', error)).toMatchObject({
    kind: 'invalid',
    status: 400,
    message: 'body.a is required (and 2 more)',
  })
})

test('a flood of wrong fields with endless names stays a small problem', () => {
  const flood = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`${at}`.padEnd(5000, 'x'), 1]))
  const problem = toInvalidProblem('body', z.strictObject({}).safeParse(flood).error!)
  expect(problem.fields).toHaveLength(100)
  expect(JSON.stringify(problem).length).toBeLessThan(40_000)
  expect(problem.message).toContain('(and 999 more)')
})
