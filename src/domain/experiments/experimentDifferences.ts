import type { Check } from '#contract/console/checks.ts'
import type { Experiment, ExperimentDifference } from '#contract/console/suites.ts'

/** What is recorded of an experiment beside its results. */
export interface ExperimentFingerprint {
  experiment: Experiment
  /** The checks of every case. */
  checks: readonly Check[]
  /** The versions of the workflow, and the releases of the platform, that its calls ran on. */
  versions: readonly string[]
  platform_versions: readonly string[]
}

/** What differs between two experiments, by the names of the interface, with the values of both. */
export function listDifferences(before: ExperimentFingerprint, after: ExperimentFingerprint): ExperimentDifference[] {
  const [older, newer] = [toFacts(before), toFacts(after)]
  const names = [...new Set([...older.keys(), ...newer.keys()])]
  const differences = names.map((name) => ({
    name,
    before: older.get(name) ?? null,
    after: newer.get(name) ?? null,
  }))
  return [...differences.filter((one) => one.before !== one.after), ...listCheckDifferences(before, after)]
}

function toFacts({ experiment, versions, platform_versions }: ExperimentFingerprint): Map<string, string> {
  const { target, repetitions, tags, batch } = experiment
  return new Map(
    [
      ['key', target.key],
      ['source', target.source],
      ['workflow_id', versions.length > 0 ? versions.toSorted().join(', ') : target.workflow_id],
      ['platform_version', platform_versions.toSorted().join(', ')],
      ...Object.entries(target.retrieval_model ?? {}).map(([name, value]) => [`retrieval_model.${name}`, value]),
      ['user', batch.settings?.user],
      ['repetitions', repetitions],
      ...Object.entries(tags).map(([name, value]) => [`tags.${name}`, value]),
    ].flatMap(([name, value]): [string, string][] =>
      value === null || value === undefined || value === '' ? [] : [[String(name), toText(value)]],
    ),
  )
}

/** The checks of every case that only one of both has. */
function listCheckDifferences(before: ExperimentFingerprint, after: ExperimentFingerprint): ExperimentDifference[] {
  const [older, newer] = [before.checks.map(toCheckText), after.checks.map(toCheckText)]
  const removed = older.filter((text) => !newer.includes(text))
  const added = newer.filter((text) => !older.includes(text))
  return [
    ...removed.map((text) => ({ name: 'checks', before: text, after: null })),
    ...added.map((text) => ({ name: 'checks', before: null, after: text })),
  ]
}

function toCheckText({ type, ...parameters }: Check): string {
  const texts = Object.entries(parameters).map(([name, value]) => `${name} ${toText(value)}`)
  return [type, ...texts].join(', ')
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
