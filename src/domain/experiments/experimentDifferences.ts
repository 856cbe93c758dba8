import type { Check } from '#contract/console/checks.ts'
import type { DocumentFingerprint, Fingerprint } from '#contract/console/experiments/experimentFingerprints.ts'
import type { Experiment, ExperimentDifference } from '#contract/console/suites.ts'

/** The recorded circumstances of an experiment. */
export interface ExperimentFingerprint {
  experiment: Experiment
  checks: readonly Check[]
  /** The versions of the workflow, and the releases of the platform, that its calls ran on. */
  versions: readonly string[]
  platform_versions: readonly string[]
  /** The datasets and documents, as they were recorded; null where they were not. */
  knowledge: (Pick<Fingerprint, 'datasets'> & { documents: readonly DocumentFingerprint[] }) | null
}

/** The differences between two experiments, by the names of the interface, with both values. */
export function listDifferences(before: ExperimentFingerprint, after: ExperimentFingerprint): ExperimentDifference[] {
  const [older, newer] = [toFacts(before), toFacts(after)]
  const names = [...new Set([...older.keys(), ...newer.keys()])]
  const differences = names.map((name) => ({
    name,
    before: older.get(name) ?? null,
    after: newer.get(name) ?? null,
  }))
  return [
    ...differences.filter((one) => one.before !== one.after),
    ...listKnowledgeDifferences(before.knowledge, after.knowledge),
    ...listCheckDifferences(before, after),
  ]
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

/** Documents that are shown. */
const MAX_DOCUMENTS = 50

/** The differences of datasets that both experiments recorded: how they are searched, and each document by name. */
function listKnowledgeDifferences(
  before: ExperimentFingerprint['knowledge'],
  after: ExperimentFingerprint['knowledge'],
): ExperimentDifference[] {
  if (!before || !after) return []
  const pairs = before.datasets.flatMap((older) => {
    const newer = after.datasets.find(({ dataset_id }) => dataset_id === older.dataset_id)
    return newer ? [{ older, newer }] : []
  })
  const settings = pairs
    .filter(
      ({ older, newer }) => older.settings !== null && newer.settings !== null && older.settings !== newer.settings,
    )
    .map(({ older, newer }) => ({ name: `dataset.${older.dataset_id}`, before: older.settings, after: newer.settings }))
  const documents = pairs
    .filter(({ older, newer }) => older.hash !== null && newer.hash !== null && older.hash !== newer.hash)
    .flatMap(({ older: { dataset_id } }) => listDocumentDifferences(dataset_id, before.documents, after.documents))
  return [...settings, ...documents.slice(0, MAX_DOCUMENTS)]
}

function listDocumentDifferences(
  dataset_id: string,
  before: readonly DocumentFingerprint[],
  after: readonly DocumentFingerprint[],
): ExperimentDifference[] {
  const toMap = (documents: readonly DocumentFingerprint[]) =>
    new Map(documents.filter((one) => one.dataset_id === dataset_id).map((one) => [one.id, one]))
  const [older, newer] = [toMap(before), toMap(after)]
  const toState = (document: DocumentFingerprint | undefined) =>
    document && `${document.name} (${document.hash.slice(0, 8)})`
  return [...new Set([...older.keys(), ...newer.keys()])].flatMap((id): ExperimentDifference[] => {
    const [one, other] = [older.get(id), newer.get(id)]
    // If one side has no segments, only the records of a document can be compared; their hashes differ anyway.
    const isSame = one?.hash === other?.hash || (one && other && one.has_segments !== other.has_segments)
    return isSame ? [] : [{ name: `document.${id}`, before: toState(one) ?? null, after: toState(other) ?? null }]
  })
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
