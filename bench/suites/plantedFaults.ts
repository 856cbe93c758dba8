import type { ExperimentCause } from '#contract/console/experiments/experimentCauses.ts'
import type { Experiment, Suite } from '#contract/console/suites.ts'
import { LoupeProcess } from '#support/loupeProcess.ts'
import { EARLIER_VERSIONS } from '../../server/platform/workflow/exampleWorkflows.ts'
import type { Figure } from '../figure.ts'
import { type BenchSegment, FaultySuite } from './faultySuite.ts'

const CASE_COUNT = 300
const VERSION_CASE_COUNT = 30
const FAULTS_PER_KIND = 10

/** A change that makes cases worse, and what names it. */
interface Fault {
  name: string
  plant: () => Promise<unknown>
  undo: () => Promise<unknown>
  /** What the experiment is started with. */
  experiment?: object
  isCause: (cause: ExperimentCause) => boolean
}

export interface FaultResult {
  name: string
  regressed: number
  isNamed: boolean
  isFirst: boolean
}

export interface PlantedFaults {
  results: FaultResult[]
  /** Comparisons with nothing changed in between that show a regression or a cause. */
  falseAlarms: number
  comparisons: number
}

/**
 * Plants faults, runs an experiment after each, compares it with the baseline and takes the fault back. Before each fault
 * another segment is edited a little and stays so until the end: an edit that is on record and breaks nothing.
 */
export async function plantFaults(
  loupe: LoupeProcess,
  { cases, versionCases, faultsPerKind }: { cases: number; versionCases: number; faultsPerKind: number },
): Promise<PlantedFaults> {
  const faulty = await FaultySuite.create(loupe, cases)
  const questions = faulty.listQuestions()
  const retrieval = await faulty.createSuite(
    { name: 'Retrieval', target: 'retrieval', about: faulty.dataset },
    questions.map(({ query, segment }) => ({ input: { query }, expected: { segments: [{ id: segment.id }] } })),
  )
  const workflow = await faulty.createSuite(
    {
      name: 'Workflow',
      target: 'workflow',
      about: faulty.getKey('workflow'),
      checks: [{ type: 'json-path', path: '$.outputs.sources' }],
    },
    questions.slice(0, versionCases).map(({ query }) => ({ input: { inputs: { query } } })),
  )
  const kinds: [Suite, Fault[]][] = [
    [retrieval, listSegmentFaults(faulty, faultsPerKind)],
    [retrieval, listSettingFaults(faulty).slice(0, faultsPerKind)],
    [workflow, listVersionFaults(faultsPerKind)],
  ]
  const all: PlantedFaults = { results: [], falseAlarms: 0, comparisons: 0 }
  for (const [suite, faults] of kinds) {
    const { results, falseAlarms, comparisons } = await measureKind(faulty, suite, faults)
    all.results.push(...results)
    all.falseAlarms += falseAlarms
    all.comparisons += comparisons
  }
  return all
}

async function measureKind(faulty: FaultySuite, suite: Suite, faults: readonly Fault[]): Promise<PlantedFaults> {
  const baseline = await faulty.runExperiment(suite)
  await faulty.json('POST', `/api/experiments/${baseline.id}/approve`, { is_baseline: true })
  const alarms = [await isFalseAlarm(faulty, suite, baseline)]
  const results: FaultResult[] = []
  const harmless = toHarmlessEdits(faulty)
  for (const fault of faults) {
    await harmless.next()
    await fault.plant()
    const after = await faulty.runExperiment(suite, fault.experiment)
    const { regressed, causes } = await faulty.compare(baseline, after)
    await fault.undo()
    const [first] = causes.data
    results.push({
      name: fault.name,
      regressed,
      isNamed: causes.data.some(fault.isCause),
      isFirst: first !== undefined && fault.isCause(first),
    })
  }
  await harmless.undo()
  alarms.push(await isFalseAlarm(faulty, suite, baseline))
  return { results, falseAlarms: alarms.filter(Boolean).length, comparisons: alarms.length }
}

async function isFalseAlarm(faulty: FaultySuite, suite: Suite, baseline: Experiment): Promise<boolean> {
  const { regressed, causes } = await faulty.compare(baseline, await faulty.runExperiment(suite))
  return regressed > 0 || causes.total > 0
}

/** A few words more at the end of segments from the last one on. */
function toHarmlessEdits(faulty: FaultySuite) {
  const edited: BenchSegment[] = []
  return {
    next: async () => {
      const segment = faulty.segments[faulty.segments.length - 1 - edited.length]
      if (!segment) return
      edited.push(segment)
      await faulty.changeSegment(segment, { content: `${segment.content} That is all.` })
    },
    undo: async () => {
      for (const segment of edited) await faulty.changeSegment(segment, { content: segment.content })
    },
  }
}

/** The kept share of the words of each edited segment; null disables it. */
const SEGMENT_EDITS = [0, 0.25, null, 0, 0.25, null, 0, 0.25, null, 0]

/** The unambiguous questions have their segments first. */
const SEGMENTS_BETWEEN = 3

function listSegmentFaults(faulty: FaultySuite, count: number): Fault[] {
  return SEGMENT_EDITS.slice(0, count).flatMap((share, index): Fault[] => {
    const segment = faulty.segments[index * SEGMENTS_BETWEEN + 1]
    if (!segment) return []
    const words = segment.content.split(' ')
    const kept = words.toSorted((one, other) => one.length - other.length).slice(0, words.length * (share ?? 1))
    return [
      {
        name: share === null ? 'segment disabled' : `segment edited, ${share * 100} % of its words kept`,
        plant: () =>
          faulty.changeSegment(
            segment,
            share === null
              ? { enabled: false }
              : { content: ['Nothing is left of this paragraph.', ...kept].join(' ') },
          ),
        undo: () => faulty.changeSegment(segment, share === null ? { enabled: true } : { content: segment.content }),
        isCause: ({ segment_id }) => segment_id === segment.id,
      },
    ]
  })
}

const SETTINGS = { search_method: 'keyword_search', top_k: 3, score_threshold_enabled: false, score_threshold: 0 }
const withThreshold = (score_threshold: number) => ({ score_threshold_enabled: true, score_threshold })
const FAULTY_SETTINGS: object[] = [
  { top_k: 1 },
  withThreshold(0.9),
  withThreshold(0.95),
  { top_k: 1, ...withThreshold(0.5) },
  withThreshold(0.99),
  { top_k: 1, search_method: 'full_text_search' },
  { top_k: 2, ...withThreshold(0.9) },
  withThreshold(1),
  { search_method: 'full_text_search', ...withThreshold(0.95) },
  { top_k: 2, ...withThreshold(0.99) },
]

const listSettingFaults = (faulty: FaultySuite): Fault[] =>
  FAULTY_SETTINGS.map((settings) => ({
    name: `settings ${JSON.stringify(settings)}`,
    plant: () => faulty.changeDataset('PATCH', '', { retrieval_model: { ...SETTINGS, ...settings } }),
    undo: () => faulty.changeDataset('PATCH', '', { retrieval_model: SETTINGS }),
    isCause: ({ kind, dataset_id }) => kind === 'dataset_settings' && dataset_id === faulty.dataset,
  }))

/** The earlier version of the workflow has no sources among its outputs. */
function listVersionFaults(count: number): Fault[] {
  const workflow_id = EARLIER_VERSIONS.find(({ id }) => id === 'workflow')?.workflow_id ?? ''
  return Array.from({ length: count }, () => ({
    name: 'an earlier version of the workflow',
    plant: () => Promise.resolve(),
    undo: () => Promise.resolve(),
    experiment: { workflow_id },
    isCause: ({ kind, differences }) =>
      kind === 'app_version' && differences.some(({ name, after }) => name === 'workflow_id' && after === workflow_id),
  }))
}

/** Thirty faults in a suite of 300 cases of retrieval, and in one of 30 cases of a workflow, on the built-in platform. */
export async function runPlantedFaults(): Promise<Figure[]> {
  const loupe = await new LoupeProcess().start()
  try {
    const size = { cases: CASE_COUNT, versionCases: VERSION_CASE_COUNT, faultsPerKind: FAULTS_PER_KIND }
    const { results, falseAlarms, comparisons } = await plantFaults(loupe, size)
    for (const { name, regressed, isNamed, isFirst } of results)
      console.error(`${name}: ${regressed} regressed, ${isFirst ? 'first' : isNamed ? 'named' : 'not named'}`)
    const count = (isCounted: (one: FaultResult) => boolean) => results.filter(isCounted).length
    const against = `${results.length} faults, ${count(({ regressed }) => regressed > 0)} with regressed cases`
    return [
      toFigure(
        'planted faults: named',
        count(({ isNamed }) => isNamed),
        { against, goal: '30' },
      ),
      toFigure(
        'planted faults: the true cause ranked first',
        count(({ isFirst }) => isFirst),
        { against, goal: '>= 27' },
      ),
      toFigure('planted faults: false alarms', falseAlarms, {
        against: `${comparisons} comparisons with nothing changed in between`,
        goal: '0',
      }),
    ]
  } finally {
    await loupe.remove()
  }
}

const toFigure = (what: string, value: number, more: Pick<Figure, 'against' | 'goal'>): Figure => ({
  bench: 'suites',
  what,
  value,
  unit: '',
  ...more,
})
