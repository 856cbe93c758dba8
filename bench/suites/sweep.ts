import type { Suite } from '#contract/console/suites.ts'
import type { SuitePrediction } from '#contract/console/experiments/predictions.ts'
import type { Figure } from '../figure.ts'
import { createRandom } from '../platform/syntheticTexts.ts'
import { type DatasetConsole, startDatasetConsole, toQuestion } from './suiteClient.ts'

const TEXT_BYTES = 5 * 1024 * 1024
const QUESTION_COUNT = 100
const QUESTIONS_PER_REQUEST = 50
/** Eight settings of the search, which the platform answers by dry run, and four sizes of chunks, which are estimates. */
const SETTINGS: object[] = [
  ...[2, 4, 8, 12].flatMap((top_k) => [
    { retrieval_model: { top_k } },
    { retrieval_model: { top_k, score_threshold_enabled: true, score_threshold: 0.5 } },
  ]),
  ...[100, 200, 400, 800].map((max_tokens) => ({ chunking: { max_tokens } })),
]

/** A sweep as the suite's page makes it: setting after setting, 50 questions a request. */
export async function runSweepBench(): Promise<Figure[]> {
  const datasetConsole = await startDatasetConsole(TEXT_BYTES)
  try {
    const suite = await createSuite(datasetConsole)
    const times = { dry_run: 0, estimate: 0 }
    let measured = 0
    let listing: string | undefined
    for (const setting of SETTINGS)
      for (let page = 1; (page - 1) * QUESTIONS_PER_REQUEST < QUESTION_COUNT; page++) {
        const began = performance.now()
        const prediction = await datasetConsole.askConsole<SuitePrediction>('POST', `/api/suites/${suite}/prediction`, {
          ...setting,
          page,
          limit: QUESTIONS_PER_REQUEST,
          listing,
        })
        const { data, source } = prediction
        listing = prediction.listing ?? undefined
        if (source !== ('chunking' in setting ? 'estimate' : 'dry_run')) throw new Error(`the source is ${source}`)
        times[source] += performance.now() - began
        measured += data.length
      }
    if (measured !== SETTINGS.length * QUESTION_COUNT) throw new Error(`${measured} questions were measured`)
    return [
      {
        bench: 'suites',
        what: `sweep of ${SETTINGS.length} settings x ${QUESTION_COUNT} questions over 5 MB`,
        value: (times.dry_run + times.estimate) / 1000,
        unit: 's',
        against: `${datasetConsole.segments.length} segments, ${Math.round(times.estimate / 1000)} s for sizes of chunks`,
        goal: 'under 300 s',
      },
    ]
  } finally {
    await datasetConsole.loupe.remove()
  }
}

async function createSuite({ askConsole, segments, dataset_id, document_id }: DatasetConsole): Promise<string> {
  const { data } = await askConsole<{ data: { id: string; builtin: boolean }[] }>('GET', '/api/workspaces')
  const random = createRandom(12)
  const { id } = await askConsole<Suite>('POST', '/api/suites', {
    workspace: data.find(({ builtin }) => builtin)?.id,
    name: 'Sweep',
    target: 'retrieval',
    about: dataset_id,
    cases: Array.from({ length: QUESTION_COUNT }, (_, index) => {
      const segment = segments[Math.floor((index * segments.length) / QUESTION_COUNT)]
      return {
        input: { query: toQuestion(segment?.content ?? '', random) },
        expected: { segments: [{ id: segment?.id, document_id }] },
      }
    }),
  })
  return id
}
