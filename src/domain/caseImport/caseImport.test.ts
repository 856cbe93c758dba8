import fc from 'fast-check'
import papaparse from 'papaparse'
import { expect, it } from 'vitest'
import { MAX_CASES } from '#contract/console/suites.ts'
import { parseAssertion } from './assertionText.ts'
import { parseCaseImport } from './caseImport.ts'

const listCases = (text: string, target: Parameters<typeof parseCaseImport>[1] = 'chat') => {
  const { cases, faults } = parseCaseImport(text, target)
  return { cases: cases.map((one) => one.case), faults }
}
const toLines = (...records: unknown[]) => records.map((record) => JSON.stringify(record)).join('\n')

it('reads promptfoo’s columns, and says what each became', () => {
  const csv = [
    'question,city,__expected,__expected2,__description,__metric,__metadata:topic,__metadata:tags[],__threshold',
    'Returns?,Rome,contains: 30 days,"contains-any(0.5): box, label",How long?,policy,returns,"a,b",0.5',
    '',
    '"And\ndelivery?",Paris,Within 3 days.,,,,,,',
  ].join('\n')
  const { rows, cases, faults, columns } = parseCaseImport(csv, 'chat')
  expect([rows, faults]).toEqual([2, []])
  expect(cases[0]).toMatchObject({
    line: 2,
    case: {
      name: 'How long?',
      input: { query: 'Returns?', inputs: { city: 'Rome' } },
      checks: [
        { type: 'contains', value: '30 days', metric: 'policy' },
        { type: 'contains-any', value: ['box', 'label'], threshold: 0.5, metric: 'policy' },
      ],
      tags: ['topic=returns', 'a', 'b'],
    },
  })
  expect(cases[1]).toMatchObject({
    line: 4,
    case: { input: { query: 'And\ndelivery?' }, checks: [{ type: 'equals', value: 'Within 3 days.' }], tags: [] },
  })
  expect(columns).toEqual([
    { column: 'question', part: 'question' },
    { column: 'city', part: 'input' },
    { column: '__expected', part: 'check' },
    { column: '__expected2', part: 'check' },
    { column: '__description', part: 'name' },
    { column: '__metric', part: 'check' },
    { column: '__metadata:topic', part: 'tag' },
    { column: '__metadata:tags[]', part: 'tag' },
    { column: '__threshold', part: 'left_out' },
  ])
})

it('makes every variable an input of a completion or a workflow', () => {
  const { cases } = listCases('query,text\nq,long\n', 'workflow')
  expect(cases[0]?.input).toEqual({ inputs: { query: 'q', text: 'long' } })
})

it('takes the only variable as the question, whatever its name, and semicolons as well as commas', () => {
  expect(listCases('frage;__expected\nWann?;contains: bald\n').cases[0]).toMatchObject({
    input: { query: 'Wann?' },
    checks: [{ type: 'contains', value: 'bald' }],
  })
})

it.each([
  ['contains: a, b', { type: 'contains', value: 'a, b' }],
  ['contains-all: a, b', { type: 'contains-all', value: ['a', 'b'] }],
  ['similar(0.8): like this', { type: 'similar', value: 'like this', threshold: 0.8 }],
  ['latency(5000)', { type: 'latency', threshold: 5000 }],
  ['is-json', { type: 'is-json' }],
  ['is-json: {"type":"object"}', { type: 'is-json', value: { type: 'object' } }],
  ['regex: ^a:b$', { type: 'regex', value: '^a:b$' }],
  ['python is a language', { type: 'equals', value: 'python is a language' }],
])('reads the assertion %s', (text, check) => {
  expect(parseAssertion(text)).toEqual({ check, fault: null })
})

it.each([
  ['fn: output.length > 3', 'The check fn does not exist here.'],
  ['file://grade.py', 'The check file:// does not exist here.'],
  ['regex: (', 'value must be a regular expression'],
  ['is-json: {', 'The value of is-json must be a JSON Schema.'],
  ['json-path: 3', 'path is required for json-path'],
])('refuses the assertion %s', (text, fault) => {
  expect(parseAssertion(text)).toEqual({ check: null, fault: expect.stringContaining(fault) as string })
})

it('names the line and the column of each fault, and imports the other rows', () => {
  const csv = 'query,__expected\n"two\nlines",contains: x\nq,javascript: 1\n,contains: x\na,b,c\nlast,contains: y\n'
  const { cases, faults } = listCases(csv)
  expect(cases.map(({ input }) => input.query)).toEqual(['two\nlines', 'last'])
  expect(faults.map(({ line, column, message }) => [line, column, message])).toEqual([
    [4, '__expected', 'The check javascript does not exist here.'],
    [5, null, expect.stringContaining('has no question')],
    [6, null, 'The row has 3 cells, and the header 2. Is a quote missing?'],
  ])
  expect(listCases('query,query\na,b\n').faults[0]?.message).toContain('have the same name')
  expect(listCases('query,__expectd\na,b\n').faults).toMatchObject([{ line: 2, column: '__expectd' }])
  expect(listCases('query\n').faults).toMatchObject([{ message: 'There is no row below the header.' }])
  expect(listCases('').faults).toMatchObject([{ message: 'The table is empty.' }])
  expect(listCases(`query\n${'x'.repeat(251)}\n`, 'retrieval').faults[0]?.message).toContain('at most 250 characters')
  expect(listCases(`query\n${'x\n'.repeat(MAX_CASES + 1)}`).faults[0]?.message).toContain(`at most ${MAX_CASES}`)
})

it('reads Langfuse’s items', () => {
  const text = toLines(
    { id: 'i1', input: 'Returns?', expectedOutput: 'Within 30 days.', metadata: { topic: 'policy', deep: { a: 1 } } },
    { input: { question: 'Delivery?', city: 'Rome' }, expectedOutput: { days: 3 }, metadata: null },
  )
  expect(listCases(text).cases).toMatchObject([
    { input: { query: 'Returns?' }, expected: { answer: 'Within 30 days.' }, tags: ['topic=policy'] },
    { input: { query: 'Delivery?', inputs: { city: 'Rome' } }, expected: { answer: '{"days":3}' } },
  ])
  expect(parseCaseImport(text, 'chat').columns).toContainEqual({ column: 'id', part: 'left_out' })
  expect(parseCaseImport(text, 'chat').columns).toContainEqual({ column: 'metadata.deep', part: 'left_out' })
  expect(listCases(toLines({ input: 'text' }), 'completion').faults).toMatchObject([
    { line: 1, column: 'input', message: 'must be an object with the inputs of the completion.' },
  ])
  expect(listCases(toLines({ input: { text: 'a' } }), 'completion').cases).toMatchObject([
    { input: { inputs: { text: 'a' } } },
  ])
})

it('reads Ragas’ samples: conversations, references and the ids of contexts', () => {
  const text = toLines(
    {
      user_input: 'Returns?',
      reference: '30 days',
      reference_context_ids: ['s1', 's2'],
      retrieved_context_ids: ['s9'],
    },
    {
      user_input: [
        { type: 'human', content: 'Returns?' },
        { type: 'ai', content: 'Within 30 days.' },
        { type: 'human', content: 'And delivery?' },
      ],
    },
  )
  expect(listCases(text).cases).toMatchObject([
    { input: { query: 'Returns?' }, expected: { answer: '30 days', segments: [{ id: 's1' }, { id: 's2' }] } },
    { input: { query: 'And delivery?', earlier_turns: ['Returns?'] } },
  ])
  expect(parseCaseImport(text, 'chat').columns).toContainEqual({ column: 'retrieved_context_ids', part: 'left_out' })
  expect(listCases(text, 'retrieval').faults).toMatchObject([{ line: 2, column: 'user_input' }])
})

it('reads promptfoo’s test cases, and names lines that are no objects', () => {
  const text = toLines({
    description: 'Hours',
    vars: { query: 'How long?' },
    assert: [{ type: 'contains', value: '30' }],
  })
  const { cases, faults } = listCases(`${text}\n{no\n\n[1]`)
  expect(cases).toMatchObject([
    { name: 'Hours', input: { query: 'How long?' }, checks: [{ type: 'contains', value: '30' }] },
  ])
  expect(faults).toMatchObject([{ line: 2 }, { line: 4, message: 'must be one JSON object on one line.' }])
})

it('reads a JSON list as the lines of its objects, and takes no list for CSV', () => {
  const text = '[\n  {\n    "input": "A {b}?"\n  },\n  { "input": 5 },\n  { "input": "C?" }\n]\n'
  const { rows, cases, faults } = parseCaseImport(text, 'chat')
  expect(rows).toBe(3)
  expect(cases.map(({ line, case: { input } }) => [line, input.query])).toEqual([
    [2, 'A {b}?'],
    [6, 'C?'],
  ])
  expect(faults).toEqual([{ line: 5, column: 'input', message: 'must be a text, an object, or a list of messages.' }])
  for (const list of ['[]', '["a {", { "input": "B?" }]'])
    expect(listCases(list).faults).toEqual([
      { line: 1, column: null, message: 'Every item of the list must be an object.' },
    ])
})

it.each([
  ['[\n  { "input": "A?" },\n  { "input": "B?", }\n]', 3, 'must be a valid JSON object.'],
  ['[\n  { "input": "A?" },\n  { "input": "B?"', 3, 'must be a valid JSON object.'],
  ['[{ "input": "A?" }\n{ "input": "B?" }]', 1, 'The objects of the list must be separated'],
  ['[{ "input": "A?" },\n{ "input": "B?" },\n]', 2, 'The list must end with ]'],
  ['[\n{ "input": "A?" }\n', 2, 'The list must end with ]'],
  ['[', 1, 'The list must end with ]'],
])(
  'names the line at which a JSON list is not valid, and takes no line of it for a case: %j',
  (text, line, message) => {
    const { cases, faults } = parseCaseImport(text, 'chat')
    expect(cases).toEqual([])
    expect(faults).toEqual([{ line, column: null, message: expect.stringContaining(message) as string }])
  },
)

it('keeps the digits of numbers', () => {
  const { cases, faults } = listCases(
    '{"input":{"question":"12345678901234567890","order":12345678901234567890}}\n' +
      '{"id":12345678901234567890,"input":{"question":"B?","order":9007199254740991}}\n' +
      '{"input":"C?","metadata":{"order":-12345678901234567890}}',
  )
  expect(JSON.stringify(cases.map(({ input, tags }) => input.inputs?.order ?? tags))).toBe(
    '[12345678901234567890,9007199254740991,["order=-12345678901234567890"]]',
  )
  expect(faults).toEqual([])
})

it('takes a row with an open quote for no case, and names faults in the order of lines', () => {
  const { cases, faults } = listCases('query,__expected\nfirst,\nq,nope(,\n"a,b\nc,d\n')
  expect(cases.map(({ input }) => input.query)).toEqual(['first', 'q'])
  expect(faults).toEqual([
    { line: 4, column: null, message: 'A quote is not closed: the rest of the file is in its cell.' },
  ])
  expect(listCases('query,note\n"a" b,c\nd,e\n').faults[0]).toMatchObject({
    line: 2,
    message: expect.stringContaining('must be doubled') as string,
  })
  const lines = listCases(toLines({ input: 5 }, 'x', { input: [] }, 'y')).faults.map(({ line }) => line)
  expect(lines).toEqual([1, 2, 3, 4])
})

it('reads splits, the messages of Langfuse, and no archived item', () => {
  expect(listCases('query,__metadata:split\na,test\nb,\n').cases.map(({ split }) => split)).toEqual(['test', null])
  const messages = [
    { role: 'user', content: 'Returns?' },
    { role: 'assistant', content: 'Within 30 days.' },
    { role: 'user', content: 'And delivery?' },
  ]
  const { cases, faults } = listCases(
    toLines(
      { input: { messages }, expectedOutput: { role: 'assistant', content: '3 days' }, metadata: { split: 'dev' } },
      { input: 'Old?', status: 'ARCHIVED' },
      { input: 'Tagged?', metadata: Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`k${index}`, 'v'])) },
    ),
  )
  expect(cases[0]).toMatchObject({
    input: { query: 'And delivery?', earlier_turns: ['Returns?'] },
    expected: { answer: '3 days' },
    split: 'dev',
  })
  expect(cases[1]?.tags).toHaveLength(20)
  expect(faults).toEqual([{ line: 2, column: 'status', message: 'The item is archived in Langfuse.' }])
})

it('loses no row and no variable, whatever the cells hold', () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => `${text.replaceAll('\0', '')}.`)
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 }), (rows) => {
      const csv = papaparse.unparse([['query', 'note'], ...rows])
      const { cases, faults } = listCases(csv)
      expect(faults).toEqual([])
      expect(cases.map(({ input }) => [input.query, input.inputs?.note])).toEqual(
        rows.map(([query, note]) => [query.trim(), note]),
      )
    }),
    { seed: 25, numRuns: 100 },
  )
})
