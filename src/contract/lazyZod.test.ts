import { expect, test } from 'vitest'
import { z as now } from 'zod'
import * as later from './lazyZod.ts'

/** The same schema by each of the two. */
const both = (make: (z: typeof now) => now.ZodType) => [make(now), make(later as unknown as typeof now)] as const

const SAMPLE_VALUES = [
  null,
  undefined,
  '',
  ' one ',
  7,
  true,
  [],
  ['a', 'b'],
  {},
  { name: ' Mira ', kind: 'chat' },
  { name: 'Mira', kind: 'none', more: 1 },
  { name: 'Mira', kind: 'chat', inner: { at: '2026-11-22T05:00:00Z', count: '3' }, list: [{ id: 1 }, { id: 'x' }] },
  '3f1b8c1e-0000-4000-8000-000000000001',
]

test.each<[string, (z: typeof now) => now.ZodType]>([
  ['text', (z) => z.string().trim().min(1).max(20)],
  ['an id that may be missing', (z) => z.guid().nullish()],
  ['a choice with a default', (z) => z.enum(['chat', 'completion']).default('chat')],
  ['one of several', (z) => z.union([z.literal(7), z.boolean(), z.array(z.string())])],
  [
    'an object in an object, a list, a refinement',
    (z) =>
      z.looseObject({
        name: z.string().trim(),
        kind: z.enum(['chat', 'workflow']),
        inner: z.object({ at: z.iso.datetime(), count: z.coerce.number().int() }).optional(),
        list: z
          .array(z.object({ id: z.unknown() }))
          .refine((list) => list.length > 1, { error: 'too short' })
          .optional(),
      }),
  ],
  [
    'an object of parts of another',
    (z) => {
      const whole = z.strictObject({ name: z.string(), kind: z.string() })
      return z
        .strictObject({ ...whole.partial().shape, more: z.int().optional() })
        .extend({ last: z.boolean().optional() })
    },
  ],
])('%s: what is noted first takes and refuses the same', (_, make) => {
  const [real, noted] = both(make)
  for (const given of SAMPLE_VALUES) {
    const [expected, found] = [real.safeParse(given), noted.safeParse(given)]
    expect(found.success).toBe(expected.success)
    expect(found.data).toEqual(expected.data)
    expect(found.error?.issues).toEqual(expected.error?.issues)
  }
})

test('a schema that nobody asks is not made', () => {
  const shape = Object.defineProperty({}, 'name', {
    enumerable: true,
    get: () => {
      throw new Error('made')
    },
  })
  const noted = later.object(shape).optional()
  expect(() => noted.safeParse({})).toThrow('made')
})

test('it is known by what it is', () => {
  const list = later.array(later.string())
  expect(list instanceof now.ZodArray).toBe(true)
  expect('shape' in later.object({})).toBe(true)
  expect(later.strictObject({ a: list }).shape.a.element instanceof now.ZodString).toBe(true)
})

test('notes of a schema are read back, with those of the schema that it was made of', () => {
  for (const schema of both((z) =>
    z
      .string()
      .meta({ known: ['a'] })
      .meta({ since: '1.9' }),
  ))
    expect(schema.meta()).toEqual({ known: ['a'], since: '1.9' })
})
