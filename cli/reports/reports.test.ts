import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import type { CaseComparison, Experiment, ExperimentResult, Suite } from '#contract/console/suites.ts'
import { requirements, SHARED_DATA, titleWith } from '#support/requirements.ts'
import { toEvaluation } from './evaluation.ts'
import { toJunitXml } from './junitReport.ts'
import { toMarkdown, toTextReport } from './markdownReport.ts'

const SUITE = { id: 's', workspace: 'w', name: 'FAQ & "more"', target: 'chat', revision: 3 } as Suite
const EXPERIMENT = {
  id: 'e',
  suite: 's',
  suite_revision: 2,
  repetitions: 1,
  tags: { 'git.sha': '4f2a<>' },
  scores: [{ metric: 'polite', average: 0.75, count: 4 }],
  target: { key: 'k', source: 'app', workflow_id: 'v1' },
  fingerprint: {
    start: { at: '2026-11-25T18:00:00.123Z', parameters: null, versions: [], datasets: [] },
    end: {
      at: '2026-11-25T18:00:09.123Z',
      parameters: null,
      versions: ['v1'],
      datasets: [{ dataset_id: 'd', hash: 'c0ffee', settings: null, documents: 2, unknown: [] }],
    },
  },
  batch: {
    tokens: 1200,
    prices: [{ currency: 'USD', total: '0.25', rows: 4 }],
    began_at: '2026-11-25T18:00:00.123Z',
  },
} as unknown as Experiment

const result = (case_id: string, outcome: ExperimentResult['outcome'], more: Partial<ExperimentResult> = {}) =>
  ({
    number: 1,
    case_id,
    case_name: `Case ${case_id}`,
    input: { query: `Question ${case_id}?` },
    expected: { answer: '30 days' },
    repetition: 1,
    state: 'succeeded',
    run: `run-${case_id}`,
    outcome,
    rank: null,
    found: [],
    verdicts:
      outcome === null ? [] : [{ type: 'contains', verdict: outcome, score: null, reason: `It said ${case_id}.` }],
    problem: null,
    duration_ms: 1234,
    ...more,
  }) satisfies ExperimentResult
const RESULTS = [
  result('a', 'pass'),
  result('b', 'fail'),
  result('c', null, { state: 'unknown', problem: { kind: 'cut', message: 'The connection was lost.' } }),
  result('d', 'pass'),
  result('d', 'fail', { repetition: 2 }),
  result('e', null, { state: 'stopped', run: null, duration_ms: null }),
]
const compare = (case_id: string, before: 'pass' | 'fail') =>
  ({ case_id, change: 'regressed', before: { outcome: before, run: null, reason: null } }) as CaseComparison
const evaluate = (results: readonly ExperimentResult[], more: Partial<Parameters<typeof toEvaluation>[0]> = {}) =>
  toEvaluation({
    url: 'https://loupe.example',
    suite: SUITE,
    experiment: EXPERIMENT,
    app: 'Support bot',
    results,
    comparison: null,
    failOn: 'failures',
    ...more,
  })

const OWN_SCHEMA = readFileSync(join(import.meta.dirname, 'junitReport.testing.xsd'), 'utf8')
/** All in one process of the validator. */
const validate = async (texts: readonly string[], schema = OWN_SCHEMA) => {
  const xml = texts.map((contents, index) => ({ fileName: `${index}.xml`, contents }))
  return (await validateXML({ xml, schema })).errors
}

describe('the gate', () => {
  it('of failures holds where every case passed in every repetition', () => {
    expect(evaluate([result('a', 'pass')]).gate).toEqual({ fail_on: 'failures', held: true, reasons: [] })
    const { gate, counts } = evaluate(RESULTS)
    expect(counts).toEqual({ pass: 1, fail: 1, error: 1, flaky: 1, skipped: 1 })
    expect(gate.held).toBe(false)
    expect(gate.reasons.map(({ case_id, reason }) => [case_id, reason])).toEqual([
      ['b', 'contains: It said b.'],
      ['c', 'The connection was lost.'],
      ['d', '1 of 2 repetitions passed. contains: It said d.'],
      ['e', 'It was not run.'],
    ])
  })

  it('of regressions holds where what passed in the baseline passes', () => {
    const against = (...cases: CaseComparison[]) =>
      evaluate(RESULTS, { failOn: 'regressions', comparison: { baseline: 'before', cases } })
    expect(against(compare('a', 'pass'), compare('b', 'fail'), compare('c', 'fail')).gate.held).toBe(true)
    expect(against(compare('c', 'pass'), compare('e', 'pass')).gate.reasons.map(({ case_id }) => case_id)).toEqual([
      'c',
      'e',
    ])
  })

  it('is of no case that was run in part', () => {
    const partial = [result('a', 'pass'), result('a', null, { state: 'stopped', repetition: 2 })]
    expect(evaluate(partial)).toMatchObject({ counts: { error: 1 }, gate: { held: false } })
  })
})

describe('JUnit', () => {
  it('has a test case for each case, with what was expected, what came and where to look', async () => {
    const xml = toJunitXml([evaluate(RESULTS), evaluate([result('a', 'pass')])])
    expect(xml).toContain('<testsuites name="loupe" tests="6" failures="2" errors="1" time="7.404">')
    for (const [name, value] of [
      ['experiment', 'https://loupe.example/suites/s?workspace=w&amp;experiment=e'],
      ['app', 'Support bot'],
      ['workflow_id', 'v1'],
      ['knowledge', 'd c0ffee'],
      ['tokens', '1200'],
      ['price', '0.25 USD'],
      ['score polite', '0.75'],
      ['gate', 'failures: failed'],
      ['git.sha', '4f2a&lt;&gt;'],
    ])
      expect(xml).toContain(`<property name="${name}" value="${value}"/>`)
    expect(xml).toContain('<testcase classname="FAQ &amp; &quot;more&quot;" name="Case a" time="1.234"/>')
    expect(xml).toContain(
      '<failure type="contains" message="contains: It said b.">repetition 1: fail\nasked: Question b?',
    )
    expect(xml).toContain(
      'expected: 30 days\nfail contains: It said b.\nrun: https://loupe.example/runs/run-b?workspace=w',
    )
    expect(xml).toContain('<error type="cut" message="The connection was lost.">')
    expect(xml).toMatch(/<failure type="flaky"[^>]*\/>\s+<system-out>repetition 1: pass/)
    expect(xml).toContain('<skipped message="It was not run."/>')
    expect(await validate([xml])).toEqual([])
  })

  it('is valid XML whatever texts it has', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(']]>', '<!--', '\0\u0001\u001b[31m', '\uD800', '\uFFFE', '&#0;', 'a\r\nb\tc'),
    )
    const reports: string[] = []
    fc.assert(
      fc.property(text, text, (one, other) => {
        const verdict = { type: one, verdict: 'fail' as const, score: null, reason: other }
        const results = [result('a', 'fail', { case_name: one, verdicts: [verdict], expected: { answer: other } })]
        reports.push(toJunitXml([evaluate(results, { app: other })]))
      }),
      { seed: 25, numRuns: 40 },
    )
    expect(await validate(reports)).toEqual([])
    expect(await validate(reports.slice(0, 2).concat('<testsuites/>'))).not.toEqual([])
    const [, name] = /name="Case ([^"]*)"/.exec(toJunitXml([evaluate([result('x\n\0<y>', 'pass')])])) ?? []
    expect(name).toBe('x&#10;\uFFFD&lt;y&gt;')
  })

  const jenkins = requirements.sharedData('junit-10.xsd')
  it.skipIf(!jenkins.isMet)(titleWith(jenkins, 'is valid by the schema of Jenkins'), async () => {
    const schema = readFileSync(join(SHARED_DATA, 'junit-10.xsd'), 'utf8')
    expect(await validate([toJunitXml([evaluate(RESULTS), evaluate([result('a', 'pass')])])], schema)).toEqual([])
    expect(await validate(['<testsuites><testsuite/></testsuites>'], schema)).not.toEqual([])
  })
})

describe('the summaries', () => {
  it('say what the gate says, and list what did not pass', () => {
    const against = { failOn: 'regressions' as const, comparison: { baseline: 'x', cases: [compare('b', 'pass')] } }
    const markdown = toMarkdown([evaluate(RESULTS, against)])
    expect(markdown).toContain('The gate failed: 1 case that passed in the baseline no longer does.')
    expect(markdown).toContain(
      '1 of 5 cases passed, 1 failed, 1 flaky, 1 not decided, 1 not run, 1200 tokens, 0.25 USD, polite 0.75.',
    )
    expect(markdown).toContain('| [Case b](https://loupe.example/runs/run-b?workspace=w) | failed | regressed |')
    expect(markdown).not.toContain('Case a')
    const text = toTextReport([evaluate(RESULTS, against)])
    expect(text).toContain('failed  Case b: contains: It said b.')
  })

  it('take no Markdown, HTML or control characters from a platform', () => {
    const results = [result('a|b](http://x) <img src=x>\u001b[2J\u202e\n# @everyone', 'fail')]
    const markdown = toMarkdown([evaluate(results)])
    expect(markdown).not.toMatch(/<img|\]\(http:\/\/x|@everyone|\n# /)
    expect(toTextReport([evaluate(results)])).not.toMatch(/[\u001b\u202e]/)
  })

  it('list at most a hundred cases', () => {
    const results = Array.from({ length: 120 }, (_, at) => result(`n${at}`, 'fail'))
    expect(toMarkdown([evaluate(results)])).toContain('20 more in the experiment.')
  })
})
