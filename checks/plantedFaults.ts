import { setTimeout as wait } from 'node:timers/promises'
import type { ExperimentCause, ExperimentCauses } from '#contract/console/experiments/experimentCauses.ts'
import type { Experiment, ExperimentComparison, NewCase, Suite } from '#contract/console/suites.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import type { LoupeProcess } from '#support/loupeProcess.ts'
import { createEnglishText, createRandom } from '../bench/platform/syntheticTexts.ts'
import { createDocument, toProcessRule, waitUntilIndexed } from '../bench/platform/knowledgeClient.ts'
import { EARLIER_VERSIONS } from '../server/platform/workflow/exampleWorkflows.ts'
import { createSender, signIn } from './kill/consoleClient.ts'

/** A change that makes cases worse, and what names it. */
interface Fault {
  name: string
  suite: Suite
  plant: () => Promise<unknown>
  undo: () => Promise<unknown>
  /** What the experiment is started with. */
  experiment?: object
  isCause: (cause: ExperimentCause) => boolean
}

export interface PlantedFaults {
  results: { name: string; regressed: number; isNamed: boolean; isFirst: boolean }[]
  /** Comparisons with nothing changed in between that show a regression or a cause. */
  falseAlarms: number
  comparisons: number
}

interface Segment {
  id: string
  content: string
}

const SETTINGS = { search_method: 'keyword_search', reranking_enable: false, top_k: 3, score_threshold_enabled: false }
const PARAGRAPH_WORDS = 60
const QUESTION_WORDS = 6
/** Every third question has more words of another paragraph than of the one that it expects. */
const AMBIGUOUS_EVERY = 3
const POLL_INTERVAL_MS = 100

/**
 * Plants a fault of each kind in the built-in platform: a segment without its words, a setting, an earlier version of a workflow. Runs an experiment after
 * each, compares it with the baseline and takes the fault back. Before each fault another segment is edited a little and stays
 * so until the end: an edit that is on record and breaks nothing.
 */
export async function plantFaults(
  loupe: LoupeProcess,
  { cases, versionCases }: { cases: number; versionCases: number },
): Promise<PlantedFaults> {
  const { send, cookie } = await signIn(loupe)
  const { data: workspaces } = await send<{ data: [Workspace] }>('GET', '/api/workspaces')
  const [{ id: workspace, keys }] = workspaces
  const getKey = (kind: string) => keys.find((key) => key.kind === kind)?.id ?? ''
  const knowledge = createSender(`${loupe.url}/api/keys/${getKey('knowledge')}`, { cookie, 'x-console': '1' }).send
  const { id: dataset } = await knowledge<{ id: string }>('POST', '/datasets', {
    name: 'Planted faults',
    indexing_technique: 'economy',
  })
  const setSettings = (changed: object) =>
    knowledge('PATCH', `/datasets/${dataset}`, { retrieval_model: { ...SETTINGS, ...changed } })
  await setSettings({})
  const random = createRandom(25)
  const text = Array.from({ length: cases }, () => createEnglishText(random, PARAGRAPH_WORDS)).join('\n\n')
  const { document, batch } = await createDocument(knowledge, dataset, 'Document', text, toProcessRule('\n\n', 1000))
  await waitUntilIndexed(knowledge, dataset, batch)
  const segmentsPath = `/datasets/${dataset}/documents/${document.id}/segments`
  const { data: segments } = await knowledge<{ data: Segment[] }>('GET', `${segmentsPath}?limit=100`)
  const writeSegment = ({ id }: Segment, content: string) =>
    knowledge('POST', `${segmentsPath}/${id}`, { segment: { content } })

  const createSuite = async (suite: object, suiteCases: Partial<NewCase>[]) => {
    const created = await send<Suite>('POST', '/api/suites', { workspace, ...suite })
    await send('POST', `/api/suites/${created.id}/cases`, { cases: suiteCases })
    return created
  }
  const runExperiment = async ({ id }: Suite, given: object = {}): Promise<Experiment> => {
    const started = await send<Experiment>('POST', `/api/suites/${id}/experiments`, { at_once: 8, ...given })
    for (;;) {
      const experiment = await send<Experiment>('GET', `/api/experiments/${started.id}`)
      if (experiment.batch.state === 'paused') throw new Error(`the experiment has paused: ${experiment.batch.pause}`)
      if (experiment.batch.state === 'ended' && experiment.batch.counts.running === 0) return experiment
      await wait(POLL_INTERVAL_MS)
    }
  }
  /** What became worse, and why. */
  const compare = async (before: Experiment, after: Experiment) => {
    const path = `/api/experiments/${after.id}`
    const { counts } = await send<ExperimentComparison>('GET', `${path}/comparison?with=${before.id}&limit=1`)
    const causes = await send<ExperimentCauses>('GET', `${path}/causes?with=${before.id}`)
    return { regressed: counts.regressed, causes }
  }

  const questions = toQuestions(segments)
  const retrieval = await createSuite(
    { name: 'Retrieval', target: 'retrieval', about: dataset },
    questions.map(({ query, id }) => ({ input: { query }, expected: { segments: [{ id }] } })),
  )
  const checks = [{ type: 'json-path', path: '$.outputs.sources' }]
  const workflow = await createSuite(
    { name: 'Workflow', target: 'workflow', about: getKey('workflow'), checks },
    questions.slice(0, versionCases).map(({ query }) => ({ input: { inputs: { query } } })),
  )
  // The first question is ambiguous.
  const edited = segments[1] as Segment
  const workflow_id = EARLIER_VERSIONS.find(({ id }) => id === 'workflow')?.workflow_id ?? ''
  const faults: Fault[] = [
    {
      name: 'segment edited, 0 % of its words kept',
      suite: retrieval,
      plant: () => writeSegment(edited, 'Nothing is left of this paragraph.'),
      undo: () => writeSegment(edited, edited.content),
      isCause: ({ segment_id }) => segment_id === edited.id,
    },
    {
      name: 'settings {"top_k":1}',
      suite: retrieval,
      plant: () => setSettings({ top_k: 1 }),
      undo: () => setSettings({}),
      isCause: ({ kind, dataset_id }) => kind === 'dataset_settings' && dataset_id === dataset,
    },
    {
      // It has no sources among its outputs.
      name: 'an earlier version of the workflow',
      suite: workflow,
      plant: () => Promise.resolve(),
      undo: () => Promise.resolve(),
      experiment: { workflow_id },
      isCause: ({ kind, differences }) =>
        kind === 'app_version' &&
        differences.some(({ name, after }) => name === 'workflow_id' && after === workflow_id),
    },
  ]
  const planted: PlantedFaults = { results: [], falseAlarms: 0, comparisons: 0 }
  for (const fault of faults) {
    const baseline = await runExperiment(fault.suite)
    await send('POST', `/api/experiments/${baseline.id}/approve`, { is_baseline: true })
    const countFalseAlarm = async () => {
      const { regressed, causes } = await compare(baseline, await runExperiment(fault.suite))
      planted.comparisons++
      if (regressed > 0 || causes.total > 0) planted.falseAlarms++
    }
    await countFalseAlarm()
    const harmless = segments.at(-1) as Segment
    await writeSegment(harmless, `${harmless.content} That is all.`)
    await fault.plant()
    const { regressed, causes } = await compare(baseline, await runExperiment(fault.suite, fault.experiment))
    await fault.undo()
    planted.results.push({
      name: fault.name,
      regressed,
      isNamed: causes.data.some(fault.isCause),
      isFirst: causes.data[0] !== undefined && fault.isCause(causes.data[0]),
    })
    await writeSegment(harmless, harmless.content)
    await countFalseAlarm()
  }
  return planted
}

/** A question about each segment. */
const toQuestions = (segments: readonly Segment[]): { query: string; id: string }[] =>
  segments.map(({ id, content }, index) => {
    const other = segments[(index + 1) % segments.length]?.content ?? ''
    const isAmbiguous = index % AMBIGUOUS_EVERY === 0
    const own = toRareWords(content).slice(0, isAmbiguous ? QUESTION_WORDS / 2 : QUESTION_WORDS)
    const foreign = isAmbiguous ? toRareWords(other).slice(0, QUESTION_WORDS - 1) : []
    return { query: [...own, ...foreign].join(' '), id }
  })

/** The longest words are in few paragraphs only. */
const toRareWords = (text: string): string[] =>
  [...new Set(text.replaceAll('.', '').split(' '))].toSorted((one, other) => other.length - one.length)
