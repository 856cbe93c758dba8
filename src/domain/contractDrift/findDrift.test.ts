import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { DRIFT_LIMITS, findDrift, isEquivalentEvent } from './findDrift.ts'
import { eventSchemas } from './eventSchemas.ts'
import { platformEntryList } from '#contract/samples.testing.ts'
import * as shape from '#contract/platform/schemas.ts'
import { documentEndpoints } from '#contract/platform/documents.ts'
import { appParameterEndpoints } from '#contract/platform/appParameters.ts'

const findPaths = (schema: z.ZodType, value: unknown, path?: string) =>
  [...findDrift(schema, value, path)].map(({ path: at, kind, sample }) => [at, kind, sample])

describe('drift', () => {
  test('unknown fields, unknown words and other types are told with their place', () => {
    const reply = {
      data: [
        { id: 'o-1', indexing_status: 'completed', position: '1', shelf: { row: 2 } },
        { id: 'o-2', indexing_status: 'dreaming', shelf: { row: 3 } },
        { id: 'o-3', indexing_status: 'waking', position: '2' },
        { name: 'no id' },
      ],
      total: 4,
      cursor: 'next',
    }
    expect(findPaths(documentEndpoints.list.reply, reply)).toEqual([
      ['data[].position', 'type', '1'],
      ['data[].shelf', 'field', { row: 2 }],
      ['data[].indexing_status', 'word', 'dreaming'],
      ['data[].indexing_status', 'word', 'waking'],
      ['data[].id', 'missing', null],
      ['cursor', 'field', 'next'],
    ])
  })

  test('of an alternative, the one that fits is compared', () => {
    const model = (own: object) => findPaths(shape.Dataset, { id: 'd', retrieval_model_dict: { top_k: 3, ...own } })
    expect(model({ reranking_mode: 'weighted_score', weights: { weight_type: 'customized' } })).toEqual([])
    expect(model({ reranking_mode: { reranking_provider_name: 'p', new: 1 } })).toEqual([
      ['retrieval_model_dict.reranking_mode.new', 'field', 1],
    ])
    expect(model({ reranking_mode: 7 })).toEqual([['retrieval_model_dict.reranking_mode', 'type', 7]])
  })

  test('what hangs under a free name is compared, what may be anything is not', () => {
    const parameters = {
      user_input_form: [{ 'text-input': { label: 'L', variable: 'v', shade: 'green' } }],
      speech_to_text: { whatever: [1] },
    }
    expect(findPaths(appParameterEndpoints.parameters.reply, parameters)).toEqual([
      ['user_input_form[].text-input.shade', 'field', 'green'],
    ])
  })

  test('samples are cut', () => {
    const [text, list] = findPaths(shape.DatasetTag, {
      a: 'x'.repeat(10_000),
      b: Array.from({ length: 1000 }, () => [[[[1]]]]),
    })
    expect(text?.[2]).toHaveLength(201)
    expect(list?.[2]).toEqual(Array.from({ length: 5 }, () => [['…']]))
  })

  test('however many, no more are told than can be kept', () => {
    const flood = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`field ${at}`, at]))
    expect(findPaths(shape.DatasetTag, flood)).toHaveLength(DRIFT_LIMITS.maxDrifts)
  })

  test('however deep and long a reply is, the walk ends and its samples stay small', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`) as unknown
    expect(findPaths(shape.DatasetTag, { deep })).toEqual([['deep', 'field', { a: { a: { a: '…' } } }]])
    const long = {
      data: Array.from({ length: 200_000 }, (_, at) => ({ id: 'o', position: at < 100_000 ? at : 'late' })),
    }
    expect(findPaths(documentEndpoints.list.reply, long)).toEqual([])
  })

  test('nothing that a platform may send makes it throw', () => {
    const anything = fc.anything({ withNullPrototype: true, maxDepth: 4 })
    const schemas = fc.constantFrom(...platformEntryList.map(([, { reply }]) => reply))
    const dressed = fc.oneof(anything, fc.dictionary(fc.constantFrom('data', 'id', '__proto__', 'document'), anything))
    fc.assert(
      fc.property(schemas, dressed, (schema, value) => {
        for (const { path, kind } of findDrift(schema, value))
          expect([typeof path, typeof kind]).toEqual(['string', 'string'])
      }),
    )
  })
})

describe('two events that are alike', () => {
  const shapes = Object.values(eventSchemas).flatMap((events) => Object.values(events))
  const names = [
    ...new Set(shapes.flatMap((one) => Object.keys((one as z.ZodObject).shape))),
    'unheard_of',
    '__proto__',
  ]
  const value = fc.oneof(
    fc.constantFrom('message', 'a', '', 1, 2.5, NaN, null, true, undefined),
    fc.constant({}),
    fc.constant([]),
  )
  const event = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 8 })
  const collectDrift = (schema: z.ZodType, one: unknown) => {
    const seen = new Set<string>()
    return { found: findDrift(schema, one, '', seen).map(({ path, kind }) => [path, kind]), seen }
  }

  test('tell the same', () => {
    let sameCount = 0
    fc.assert(
      fc.property(
        fc.constantFrom(...shapes),
        event,
        fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 2 }),
        (schema, one, changes) => {
          const kept = Object.entries(changes).filter(([name]) => Object.hasOwn(one, name))
          const other = { ...one, ...Object.fromEntries(kept) }
          if (!isEquivalentEvent(schema, other, one)) return
          sameCount++
          expect(collectDrift(schema, other)).toEqual(collectDrift(schema, one))
        },
      ),
      { numRuns: 1000 },
    )
    expect(sameCount).toBeGreaterThan(100)
  })

  test('are those that differ in their piece of text', () => {
    const schema = eventSchemas['chat.send']?.message as z.ZodType
    const one = { event: 'message', message_id: 'm', answer: 'a', created_at: 1, ts: 5 }
    expect(isEquivalentEvent(schema, { ...one, answer: 'b', ts: 6 }, one)).toBe(true)
    expect(isEquivalentEvent(schema, { ...one, answer: 7 }, one)).toBe(false)
    expect(isEquivalentEvent(schema, { ...one, more: 7 }, one)).toBe(false)
    expect(
      isEquivalentEvent(schema, { event: 'message', message_id: 'm', answer: 'a', created_at: 1, tz: 5 }, one),
    ).toBe(false)
  })
})
