import type { EvaluatedCase, Evaluation } from './evaluation.ts'
import { truncateText } from '#contract/truncatedText.ts'

/** A summary has a limit at GitHub (1 MiB); the experiment has the rest. */
const MAX_ROWS = 100
const MAX_CELL_CHARS = 300

export const toMarkdown = (evaluations: readonly Evaluation[]): string => evaluations.map(toSection).join('\n')

function toSection(evaluation: Evaluation) {
  const { suite, experiment, app, workflow_id, tokens, prices, scores, counts, cases, baseline, gate } = evaluation
  const shown = cases.filter(({ outcome }) => outcome !== 'pass')
  const facts = [
    `${counts.pass} of ${cases.length} cases passed`,
    ...(['fail', 'flaky', 'error', 'skipped'] as const)
      .filter((outcome) => counts[outcome] > 0)
      .map((outcome) => `${counts[outcome]} ${OUTCOME_TEXTS[outcome]}`),
    ...(tokens === null ? [] : [`${tokens} tokens`]),
    ...prices.map(({ currency, total }) => [total, currency].filter(Boolean).join(' ')),
    ...scores.map(({ metric, average }) => `${escape(metric)} ${average.toFixed(2)}`),
  ]
  return [
    `## ${gate.held ? '✅' : '❌'} ${escape(suite.name)}`,
    '',
    `${describeGate(gate)} ${facts.join(', ')}.`,
    '',
    [
      `[Experiment](${experiment.url}) on ${escape(app)}${workflow_id ? `, version ${escape(workflow_id)}` : ''}`,
      `[suite](${suite.url}) at revision ${suite.revision}`,
      ...(baseline ? [`against [its baseline](${baseline.url})`] : []),
    ].join(', ') + '.',
    '',
    ...(shown.length > 0 ? toTable(shown, baseline !== null) : []),
  ].join('\n')
}

const OUTCOME_TEXTS = { pass: 'passed', fail: 'failed', flaky: 'flaky', error: 'not decided', skipped: 'not run' }

export const describeGate = ({ fail_on, held, reasons }: Evaluation['gate']): string =>
  fail_on === 'failures'
    ? held
      ? 'The gate passed: every case passed.'
      : `The gate failed: ${reasons.length} ${reasons.length === 1 ? 'case does' : 'cases do'} not pass.`
    : held
      ? 'The gate passed: every case that passed in the baseline still passes.'
      : `The gate failed: ${reasons.length} ${reasons.length === 1 ? 'case that' : 'cases that'} passed in the baseline no longer ${reasons.length === 1 ? 'does' : 'do'}.`

function toTable(cases: readonly EvaluatedCase[], isCompared: boolean): string[] {
  const heads = ['Case', 'Outcome', ...(isCompared ? ['Change'] : []), 'Why']
  const rows = cases.slice(0, MAX_ROWS).map(({ name, outcome, change, reason, results }) => {
    const run = results.find((one) => one.outcome !== 'pass')?.run_url
    const title = escape(name)
    return [
      run ? `[${title}](${run})` : title,
      OUTCOME_TEXTS[outcome],
      ...(isCompared ? [change?.replace('_', ' ') ?? ''] : []),
      escape(reason ?? ''),
    ]
  })
  const more = cases.length - rows.length
  return [
    toRow(heads),
    toRow(heads.map(() => '---')),
    ...rows.map(toRow),
    '',
    ...(more > 0 ? [`${more} more in the experiment.`, ''] : []),
  ]
}

const toRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** Text of a platform is no Markdown and no HTML: neither a link, nor an image, nor the end of a cell. */
const escape = (text: string): string =>
  truncateText(text, MAX_CELL_CHARS, '…')
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]()#+!|~<>&@]/g, (one) => `&#${one.charCodeAt(0)};`)

/** Control and format characters from a platform would move the cursor of a terminal or turn its text. */
export const toTextReport = (evaluations: readonly Evaluation[]): string =>
  evaluations
    .flatMap(({ suite, experiment, counts, cases, gate }) => [
      `${suite.name}: ${counts.pass} of ${cases.length} passed. ${describeGate(gate)}`,
      ...cases
        .filter(({ outcome }) => outcome !== 'pass')
        .map(({ name, outcome, reason }) => `  ${OUTCOME_TEXTS[outcome]}  ${name}${reason ? `: ${reason}` : ''}`),
      `  ${experiment.url}`,
    ])
    .map((line) => line.replace(/[\p{Cc}\p{Cf}]+/gu, ' '))
    .concat('')
    .join('\n')
