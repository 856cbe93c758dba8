// Records what promptfoo's own engine says of 1,000 generated pairs of a check and an answer, once, for `npm run eval:oracle`.
//
//   mkdir /tmp/promptfoo && cd /tmp/promptfoo && npm init -y && npm install --ignore-scripts promptfoo@0.123.1
//   node <repository>/bench/suites/promptfoo/recordPromptfoo.mjs /tmp/promptfoo > <repository>/bench/suites/promptfoo/promptfooVerdicts.jsonl
//
// It is not a dependency, since it brings 862 packages. The pairs leave out what promptfoo decides otherwise by design; docs/limits.md names it.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

process.env.PROMPTFOO_DISABLE_TELEMETRY = '1'
process.env.PROMPTFOO_DISABLE_UPDATE = '1'
const folder = process.argv[2] ?? '.'
const promptfooPath = createRequire(join(folder, 'index.js')).resolve('promptfoo')
const { assertions } = await import(pathToFileURL(promptfooPath).href)

const PAIR_COUNT = 1_000
const SEED = 25
const NEGATED_SHARE = 0.3

/** The generator mulberry32. */
function createRandom(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
const random = createRandom(SEED)
const randomBelow = (limit) => Math.floor(random() * limit)
const pick = (list) => list[randomBelow(list.length)]
const times = (count, make) => Array.from({ length: count }, make)

const PLAIN_WORDS = 'the a lamp lasts two thousand hours returns within thirty days delivery is free we take it back'.split(' ') // prettier-ignore
const WORDS = [
  ...PLAIN_WORDS,
  'Größe',
  'naïve',
  '東京',
  '30',
  '2,000',
  'days.',
  '“quoted”',
  '(yes)',
  'a-b',
  'x\ty',
  'E=mc²',
]
const toText = (words, min, max) => times(min + randomBelow(max - min + 1), () => pick(words)).join(' ')
const changeCase = (text) => (random() < 0.5 ? text.toUpperCase() : text)
/** A part of a text, or another text. */
const toPart = (text) => {
  const start = randomBelow(text.length)
  return random() < 0.6 ? text.slice(start, start + 1 + randomBelow(20)) : toText(WORDS, 1, 2)
}
const edit = (text) => {
  const characters = [...text]
  for (let edits = randomBelow(9); edits > 0; edits--)
    characters.splice(
      randomBelow(characters.length + 1),
      randomBelow(2),
      ...(random() < 0.6 ? [pick(['x', 'é', ' '])] : []),
    )
  return characters.join('')
}
const toJsonValue = (depth = 0) => {
  const kind = randomBelow(depth > 2 ? 4 : 6)
  if (kind === 4) return times(randomBelow(4), () => toJsonValue(depth + 1))
  if (kind === 5) return toJsonObject(depth + 1)
  return [randomBelow(100), toText(WORDS, 1, 3), random() < 0.5, null][kind]
}
const toJsonObject = (depth = 0) =>
  Object.fromEntries(times(1 + randomBelow(3), () => [pick(['total', 'name', 'items']), toJsonValue(depth + 1)]))
const toSchema = () => ({
  type: 'object',
  required: [pick(['total', 'name', 'items'])],
  properties: { total: { type: pick(['number', 'string']), ...(random() < 0.3 ? { maximum: 50 } : {}) } },
})
const withSchema = () => (random() < 0.6 ? { value: toSchema() } : {})

const PATTERNS = [
  '\\d+',
  '^the',
  'days?\\.?$',
  '(lamp|hours).*free',
  '[A-Z]{2}',
  '\\bit\\b',
  'ö|ï',
  '^$',
  'a{2,}',
  '(?<=is )free',
]
const REFUSALS = [
  "I'm sorry, but",
  'I cannot help with',
  'I am unable to',
  'I apologize,',
  'I’m not able to',
  'As an AI, I say',
]

const GENERATORS = {
  equals: () => {
    const text = toText(WORDS, 1, 5)
    const value = random() < 0.3 ? toJsonObject() : random() < 0.5 ? text : edit(text)
    const json = typeof value === 'object' && random() < 0.6 ? JSON.stringify(value) : text
    return { check: { value }, output: typeof value === 'object' ? json : text }
  },
  contains: (output = toText(WORDS, 2, 12)) => ({ check: { value: toPart(output) }, output }),
  icontains: (output = toText(WORDS, 2, 12)) => ({ check: { value: changeCase(toPart(output)) }, output }),
  'starts-with': (output = toText(WORDS, 2, 12)) => ({
    check: { value: random() < 0.5 ? output.slice(0, 1 + randomBelow(10)) : toPart(output) },
    output,
  }),
  'contains-any': (output = toText(WORDS, 2, 12)) => ({
    check: { value: times(1 + randomBelow(3), () => toPart(output)) },
    output,
  }),
  'contains-all': (output = toText(WORDS, 2, 12)) => ({
    check: { value: times(1 + randomBelow(3), () => toPart(output)) },
    output,
  }),
  regex: () => ({ check: { value: pick(PATTERNS) }, output: toText(WORDS, 1, 12) }),
  levenshtein: (value = toText(WORDS, 1, 6)) => ({
    check: { value, ...(random() < 0.5 ? { threshold: randomBelow(10) } : {}) },
    output: edit(value),
  }),
  'rouge-n': (value = toText(PLAIN_WORDS, 2, 12)) => ({
    check: { value, ...(random() < 0.6 ? { threshold: Math.round(random() * 100) / 100 } : {}) },
    output:
      random() < 0.5
        ? value
            .split(' ')
            .filter(() => random() < 0.8)
            .join(' ') || 'the'
        : toText(PLAIN_WORDS, 2, 12),
  }),
  'is-refusal': () => {
    const text = toText(WORDS, 2, 10)
    const kind = random()
    return { check: {}, output: kind < 0.4 ? `${pick(REFUSALS)} ${text}` : kind < 0.5 ? pick(['', ' \n']) : text }
  },
  'is-json': () => {
    const json = JSON.stringify(toJsonValue())
    return { check: withSchema(), output: random() < 0.3 ? edit(json) : json }
  },
  'contains-json': () => {
    const json = JSON.stringify(toJsonObject())
    const [before, after] = [toText(PLAIN_WORDS, 0, 5), toText(PLAIN_WORDS, 0, 5)]
    return { check: withSchema(), output: random() < 0.3 ? `${before} ${after}` : `${before} ${json} ${after}` }
  },
  latency: () => ({ check: { threshold: randomBelow(3_000) }, output: 'so', latencyMs: randomBelow(3_000) }),
  cost: () => ({ check: { threshold: randomBelow(50) / 1_000 }, output: 'so', cost: randomBelow(50) / 1_000 }),
}

const types = Object.keys(GENERATORS)
const pairs = []
while (pairs.length < PAIR_COUNT) {
  const name = types[pairs.length % types.length]
  const { check, output, latencyMs, cost } = GENERATORS[name]()
  const type = random() < NEGATED_SHARE ? `not-${name}` : name
  const result = await assertions.runAssertion({
    prompt: 'p',
    assertion: { type, ...check },
    test: { vars: {}, options: {} },
    providerResponse: { output, cost },
    latencyMs,
  })
  const measured = { ...(latencyMs === undefined ? {} : { latencyMs }), ...(cost === undefined ? {} : { cost }) }
  pairs.push({ check: { type, ...check }, output, ...measured, pass: result.pass, score: result.score })
}
process.stdout.write(pairs.map((pair) => `${JSON.stringify(pair)}\n`).join(''), () => process.exit(0))
