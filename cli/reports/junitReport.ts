import type { Verdict } from '#contract/console/checks.ts'
import type { EvaluatedCase, Evaluation } from './evaluation.ts'

/** JUnit's XML, as Jenkins' junit-10.xsd has it: a test suite for each suite, a test case for each case. */
export function toJunitXml(evaluations: readonly Evaluation[]): string {
  const sum = (of: (one: Evaluation) => number) => evaluations.reduce((total, one) => total + of(one), 0)
  const attributes = toAttributes({
    name: 'loupe',
    tests: sum(({ cases }) => cases.length),
    failures: sum(countFailures),
    errors: sum(({ counts }) => counts.error),
    time: toTime(sum(({ seconds }) => seconds)),
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes}>`,
    ...evaluations.flatMap(toTestSuite),
    '</testsuites>',
    '',
  ].join('\n')
}

/** JUnit knows no flaky case: one fails, and its output says which repetitions passed. */
const countFailures = ({ counts }: Evaluation): number => counts.fail + counts.flaky

function toTestSuite(evaluation: Evaluation): string[] {
  const { suite, experiment, cases, counts, seconds } = evaluation
  const attributes = toAttributes({
    name: suite.name,
    tests: cases.length,
    failures: countFailures(evaluation),
    errors: counts.error,
    skipped: counts.skipped,
    time: toTime(seconds),
    timestamp: experiment.began_at?.replace(/\.\d+Z$|Z$/, ''),
    url: experiment.url,
  })
  return [
    `  <testsuite${attributes}>`,
    '    <properties>',
    ...listProperties(evaluation).map(([name, value]) => `      <property${toAttributes({ name, value })}/>`),
    '    </properties>',
    ...cases.flatMap((one) => toTestCase(suite.name, one)),
    '  </testsuite>',
  ]
}

function listProperties(evaluation: Evaluation) {
  const { suite, experiment, app, workflow_id, knowledge, tokens, prices, scores, baseline, gate } = evaluation
  const properties: [string, string | number | null][] = [
    ['experiment', experiment.url],
    ['suite', suite.url],
    ['revision', suite.revision],
    ['app', app],
    ['workflow_id', workflow_id],
    ...knowledge.map(({ dataset_id, hash }): [string, string] => ['knowledge', `${dataset_id} ${hash}`]),
    ['repetitions', experiment.repetitions],
    ['tokens', tokens],
    ...prices.map(({ currency, total }): [string, string] => ['price', currency ? `${total} ${currency}` : total]),
    ...scores.map(({ metric, average }): [string, number] => [`score ${metric}`, average]),
    ['baseline', baseline && baseline.url],
    ['gate', `${gate.fail_on}: ${gate.held ? 'held' : 'failed'}`],
    ...Object.entries(experiment.tags),
  ]
  return properties.filter((one): one is [string, string | number] => one[1] !== null)
}

function toTestCase(classname: string, one: EvaluatedCase): string[] {
  const attributes = toAttributes({ classname, name: one.name, time: toTime(one.seconds) })
  const content = listTestCaseContent(one)
  if (content.length === 0) return [`    <testcase${attributes}/>`]
  return [`    <testcase${attributes}>`, ...content.map((line) => `      ${line}`), '    </testcase>']
}

function listTestCaseContent({ outcome, reason, results }: EvaluatedCase): string[] {
  if (outcome === 'pass') return []
  const message = reason ?? ''
  if (outcome === 'skipped') return [`<skipped${toAttributes({ message })}/>`]
  const details = toText(results.flatMap(describeRepetition).join('\n'))
  if (outcome === 'flaky')
    return [`<failure${toAttributes({ type: 'flaky', message })}/>`, `<system-out>${details}</system-out>`]
  const element = outcome === 'fail' ? 'failure' : 'error'
  return [`<${element}${toAttributes({ type: findType(outcome, results), message })}>${details}</${element}>`]
}

/** The type of the first check that failed or was not decided; without one the kind of the call's problem. */
function findType(outcome: Verdict['verdict'], results: EvaluatedCase['results']): string {
  const verdict = results.flatMap(({ verdicts }) => verdicts).find((one) => one.verdict === outcome)
  return verdict?.type ?? results.find(({ problem }) => problem)?.problem?.kind ?? 'unknown'
}

function describeRepetition({
  repetition,
  input,
  expected,
  verdicts,
  problem,
  outcome,
  run_url,
}: EvaluatedCase['results'][number]) {
  const places = [...(expected.segments ?? []), ...(expected.documents ?? [])].map(({ id, label }) => label ?? id)
  return [
    `repetition ${repetition}: ${outcome ?? 'not decided'}`,
    `asked: ${input.query ?? JSON.stringify(input.inputs ?? {})}`,
    ...(expected.answer === undefined ? [] : [`expected: ${expected.answer}`]),
    ...(places.length > 0 ? [`expected sources: ${places.join(', ')}`] : []),
    ...verdicts.map(({ type, verdict, reason }) => `${verdict} ${type}: ${reason}`),
    ...(problem ? [`problem: ${problem.message}`] : []),
    ...(run_url ? [`run: ${run_url}`] : []),
  ]
}

const toTime = (seconds: number): string => seconds.toFixed(3)

const toAttributes = (attributes: Record<string, string | number | null | undefined>): string =>
  Object.entries(attributes)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(
      ([name, value]) => ` ${name}="${toText(String(value)).replace(/[\t\n]/g, (one) => `&#${one.charCodeAt(0)};`)}"`,
    )
    .join('')

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Characters that XML 1.0 cannot have, not even escaped. */
const NO_XML_CHARACTER = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** A text as XML: characters that it cannot have become U+FFFD, and a line ends with a line feed. */
const toText = (text: string): string =>
  text
    .replace(NO_XML_CHARACTER, '\uFFFD')
    .replace(/\r\n?/g, '\n')
    .replace(/[&<>"]/g, (one) => ENTITIES[one] ?? one)
