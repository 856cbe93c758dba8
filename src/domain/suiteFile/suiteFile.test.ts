import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SuiteFile } from '#contract/console/suiteFiles.ts'
import {
  describeSuiteChanges,
  findSuiteChanges,
  hashSuiteContent,
  hasSuiteChanges,
  type StoredContent,
} from './suiteContent.ts'
import { formatSuiteFile, parseSuiteFile } from './suiteFileText.ts'

const text = (maxLength: number) =>
  fc
    .oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength }),
      fc.stringMatching(/^[-:#'" \n\t|>&*!%@`{}[\],?a0]{1,40}$/),
    )
    .map((value) => value.replaceAll('\r', '').trim() || 'x')
    .filter((value) => value.length <= maxLength)
const resourceId = text(9).filter((id) => id !== '.' && id !== '..')
const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown)
const arbitraryCheck = fc.oneof(
  fc.record({ type: fc.constantFrom('contains' as const, 'not-icontains' as const), value: text(40) }),
  fc.record({ type: fc.constant('json-path' as const), path: fc.constant('$.answer'), value: json }),
  fc.record({ type: fc.constant('latency' as const), threshold: fc.integer(), metric: text(20), weight: fc.nat(9) }),
)
const arbitraryCase = fc.record(
  {
    id: fc.uuid(),
    name: text(60),
    input: fc.record(
      {
        query: text(80),
        earlier_turns: fc.array(text(30), { minLength: 1, maxLength: 3 }),
        inputs: fc.dictionary(text(9), json),
      },
      { requiredKeys: ['query'] },
    ),
    expected: fc.record(
      {
        answer: fc.string({ unit: 'grapheme' }),
        segments: fc.array(
          fc.record({ id: resourceId, document_id: resourceId, label: text(9) }, { requiredKeys: ['id'] }),
        ),
      },
      { requiredKeys: [] },
    ),
    checks: fc.array(arbitraryCheck, { maxLength: 3 }),
    tags: fc.array(text(20), { maxLength: 3 }),
    split: fc.option(text(20)),
  },
  { requiredKeys: ['id', 'name', 'input', 'expected', 'checks', 'tags', 'split'] },
)
const arbitraryFile = fc.record(
  {
    $schema: fc.webUrl(),
    id: fc.uuid(),
    revision: fc.integer({ min: 1 }),
    about: text(40),
    name: text(80),
    target: fc.constantFrom('retrieval' as const, 'chat' as const, 'workflow' as const),
    checks: fc.array(arbitraryCheck, { maxLength: 3 }),
    cases: fc.uniqueArray(arbitraryCase, { selector: ({ id }) => id, maxLength: 4 }),
  },
  { requiredKeys: ['name', 'target', 'checks', 'cases'] },
)

it('reads every suite that it writes, and writes it the same again', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryFile, async (given) => {
      const file = SuiteFile.parse(given)
      const written = await formatSuiteFile(file)
      const read = parseSuiteFile(written)
      expect(read.faults).toBeNull()
      expect(read.file).toEqual(file)
      expect(read.file && (await formatSuiteFile(read.file))).toBe(written)
    }),
    { seed: 25, numRuns: 40 },
  )
})

it('keeps the digits of numbers', async () => {
  const numbers = '[12345678901234567890, -9007199254740993, 0.12345678901234567890, 1e400, 7, 0.5]'
  const inputs = (order: string) => `name: N\ntarget: workflow\ncases:\n  - input: { inputs: { order: ${order} } }\n`
  const { file } = parseSuiteFile(inputs(numbers))
  expect(JSON.stringify(file?.cases[0]?.input.inputs?.order)).toBe(numbers.replaceAll(' ', ''))
  expect(file && parseSuiteFile(await formatSuiteFile(file)).file).toEqual(file)
  const hashes = ['9007199254740993', '9007199254740992'].map(
    (order) => parseSuiteFile(inputs(order)).file as SuiteFile,
  )
  expect(await hashSuiteContent(hashes[0] as SuiteFile)).not.toBe(await hashSuiteContent(hashes[1] as SuiteFile))
})

it('writes and reads a suite of many slices, in order', async () => {
  const cases = Array.from({ length: 173 }, (_, at) => ({ input: { query: `Question ${at}?\nIn two lines.` } }))
  const file = SuiteFile.parse({ name: 'Long', target: 'chat', cases })
  const read = parseSuiteFile(await formatSuiteFile(file)).file
  expect(read?.cases.map(({ input }) => input)).toEqual(file.cases.map(({ input }) => input))
  expect(await hashSuiteContent({ ...file, cases: [...file.cases].reverse() })).toBe(await hashSuiteContent(file))
})

it('has the same hash for the same content, in whatever order, and another one for any other', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryFile, async (given) => {
      const file = SuiteFile.parse(given)
      const hash = await hashSuiteContent(file)
      const turned = {
        cases: file.cases.map((one) => Object.fromEntries(Object.entries(one).reverse()) as typeof one).reverse(),
        target: file.target,
        checks: file.checks,
        name: file.name,
      }
      expect(await hashSuiteContent(turned)).toBe(hash)
      expect(await hashSuiteContent({ ...file, name: `${file.name}.` })).not.toBe(hash)
      const [first, ...others] = file.cases
      if (first)
        expect(await hashSuiteContent({ ...file, cases: [{ ...first, split: 'other' }, ...others] })).not.toBe(hash)
    }),
    { seed: 25, numRuns: 40 },
  )
})

const FILE = `name: FAQ
target: chat
checks:
  - type: not-is-refusal
cases:
  - id: 0190b6a0-2222-7abc-8def-0123456789ab
    input:
      query: Returns?
    expected:
      answer: Within 30 days.
  - input:
      query: Delivery?
`
const change = (from: string, to: string) => parseSuiteFile(FILE.replace(from, to))

it('names the line and the field of what is wrong, and what would be right', () => {
  expect(parseSuiteFile(FILE).file).toMatchObject({ cases: [{ name: 'Returns?' }, { name: 'Delivery?', tags: [] }] })
  const says = (line: number, path: string, message: string) => ({
    file: null,
    faults: [{ line, path, message: expect.stringContaining(message) as string }],
  })
  expect(change('not-is-refusal', 'regex')).toEqual(says(4, 'checks.0.value', 'is required for regex'))
  expect(change('answer:', 'anser:')).toEqual(says(10, 'cases.0.expected.anser', 'is not a field of a suite'))
  expect(change('target: chat', 'target: agent')).toEqual(says(2, 'target', 'must be "retrieval" or "chat"'))
  expect(change('name: FAQ\n', '')).toEqual(says(1, 'name', 'is required'))
  expect(change('      query: Delivery?', '      query: a: b')).toEqual(says(12, '', 'Nested mappings'))
  expect(change('      query: Delivery?', '      query: x\n      query: y')).toEqual(says(13, '', 'unique'))
  expect(parseSuiteFile(`${FILE}---\n${FILE}`)).toEqual(says(13, '', 'begins a second document'))
  expect(change('query: Delivery?', 'query: x\n      inputs: &a [*a]')).toEqual(
    says(1, '', 'has an alias that stands in'),
  )
  expect(parseSuiteFile('- 1')).toEqual(says(1, '', 'must be an object'))
  const twice = `${FILE}  - input:\n      query: Delivery?\n`
  expect(parseSuiteFile(twice)).toEqual(says(13, 'cases.2', 'has the same input and expectation as case 2'))
  const bomb = `a: &a [x, x, x, x, x, x, x, x, x, x]\nb: &b [${'*a, '.repeat(20)}]\nc: [${'*b, '.repeat(50)}]\n`
  expect(parseSuiteFile(bomb)).toEqual(says(1, '', 'aliases'))
  // Comparing each with each took 8 s.
  const fields = Array.from({ length: 20_000 }, (_, index) => `f${index}: 1`).join('\n')
  expect(parseSuiteFile(fields)).toEqual(says(1, '', 'too many fields'))
})

it('finds what makes a suite what the file says, by ids and without them by input and expectation', () => {
  const read = parseSuiteFile(FILE).file
  if (!read) throw new Error('the file is not right')
  const [first, second] = read.cases
  const known = { id: '0190b6a0-2222-7abc-8def-000000000002', name: 'Delivery?' }
  const stored: StoredContent = {
    ...read,
    cases: [
      { ...first, id: '0190b6a0-2222-7abc-8def-0123456789ab', name: 'Returns?' },
      { ...second, ...known },
    ] as StoredContent['cases'],
  }
  expect(hasSuiteChanges(findSuiteChanges(stored, read))).toBe(false)
  const edited = parseSuiteFile(
    FILE.replace('Within 30', 'Within 14').replace('FAQ', 'Support').replace('query: Delivery?', 'query: Costs?'),
  ).file
  const changes = findSuiteChanges(stored, edited ?? read)
  expect(describeSuiteChanges(changes)).toEqual([
    'the name of the suite differs',
    'the case “Returns?” differs',
    'the case “Costs?” is only in the file',
    'the case “Delivery?” is only in the suite',
  ])
  expect(changes.changed[0]).toMatchObject({ id: stored.cases[0]?.id, expected: { answer: 'Within 14 days.' } })
})
