import { setTimeout as wait } from 'node:timers/promises'
import type { ExperimentCauses } from '#contract/console/experiments/experimentCauses.ts'
import type { Experiment, ExperimentComparison, NewCase, Suite } from '#contract/console/suites.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import type { LoupeProcess } from '#support/loupeProcess.ts'
import { createEnglishText, createRandom } from '../platform/syntheticTexts.ts'
import { type SendRequest, signIn } from '../../checks/kill/consoleClient.ts'

const PARAGRAPHS_PER_DOCUMENT = 10
const PARAGRAPH_WORDS = 60
const QUESTION_WORDS = 6
const CONCURRENT_ROWS = 8
const CASES_PER_REQUEST = 200
const POLL_INTERVAL_MS = 100
/** Every third question has more words of another paragraph than of the one that it expects. */
const AMBIGUOUS_EVERY = 3

export interface BenchSegment {
  id: string
  document_id: string
  content: string
}

/** A dataset of the built-in platform that was made through the console, and questions about each of its segments. */
export class FaultySuite {
  readonly #send: SendRequest
  readonly workspace: Workspace
  dataset = ''
  segments: BenchSegment[] = []
  readonly #texts: string[]

  private constructor(send: SendRequest, workspace: Workspace, texts: string[]) {
    this.#send = send
    this.workspace = workspace
    this.#texts = texts
  }

  static async create(loupe: LoupeProcess, cases: number): Promise<FaultySuite> {
    const { send } = await signIn(loupe)
    const { data } = await send<{ data: [Workspace] }>('GET', '/api/workspaces')
    const random = createRandom(25)
    const texts = Array.from({ length: cases }, () => createEnglishText(random, PARAGRAPH_WORDS))
    const suite = new FaultySuite(send, data[0], texts)
    await suite.#fill()
    return suite
  }

  json<T>(method: string, path: string, body?: unknown): Promise<T> {
    return this.#send<T>(method, path, body)
  }

  /** A request of the interface about the dataset, through the console. */
  changeDataset(method: string, path: string, body?: unknown): Promise<unknown> {
    return this.json(method, `/api/keys/${this.getKey('knowledge')}/datasets/${this.dataset}${path}`, body)
  }

  getKey(kind: 'knowledge' | 'chat' | 'completion' | 'workflow'): string {
    return this.workspace.keys.find((key) => key.kind === kind)?.id ?? ''
  }

  async #fill(): Promise<void> {
    const knowledge = this.getKey('knowledge')
    const { id } = await this.json<{ id: string }>('POST', `/api/keys/${knowledge}/datasets`, {
      name: 'Planted faults',
      indexing_technique: 'economy',
    })
    this.dataset = id
    await this.changeDataset('PATCH', '', {
      retrieval_model: {
        search_method: 'keyword_search',
        reranking_enable: false,
        top_k: 3,
        score_threshold_enabled: false,
      },
    })
    for (let start = 0; start < this.#texts.length; start += PARAGRAPHS_PER_DOCUMENT) {
      const { document } = (await this.changeDataset('POST', '/document/create-by-text', {
        name: `Document ${start / PARAGRAPHS_PER_DOCUMENT + 1}`,
        text: this.#texts.slice(start, start + PARAGRAPHS_PER_DOCUMENT).join('\n\n'),
        indexing_technique: 'economy',
        process_rule: {
          mode: 'custom',
          rules: { pre_processing_rules: [], segmentation: { separator: '\n\n', max_tokens: 1000 } },
        },
      })) as { document: { id: string } }
      this.segments.push(...(await this.#listSegments(document.id)))
    }
  }

  /** Waits until the document is indexed. */
  async #listSegments(document_id: string): Promise<BenchSegment[]> {
    for (;;) {
      const document = (await this.changeDataset('GET', `/documents/${document_id}`)) as { indexing_status: string }
      if (document.indexing_status === 'completed') break
      await wait(POLL_INTERVAL_MS)
    }
    const { data } = (await this.changeDataset('GET', `/documents/${document_id}/segments?limit=100`)) as {
      data: { id: string; content: string }[]
    }
    return data.map(({ id, content }) => ({ id, document_id, content }))
  }

  changeSegment({ id, document_id }: BenchSegment, segment: object): Promise<unknown> {
    return this.changeDataset('POST', `/documents/${document_id}/segments/${id}`, { segment })
  }

  /** A question about each segment. */
  listQuestions(): { query: string; segment: BenchSegment }[] {
    return this.segments.map((segment, index) => {
      const other = this.segments[(index + 1) % this.segments.length] ?? segment
      const isAmbiguous = index % AMBIGUOUS_EVERY === 0
      const own = toRareWords(segment.content).slice(0, isAmbiguous ? QUESTION_WORDS / 2 : QUESTION_WORDS)
      const foreign = isAmbiguous ? toRareWords(other.content).slice(0, QUESTION_WORDS - 1) : []
      return { query: [...own, ...foreign].join(' '), segment }
    })
  }

  async createSuite(suite: object, cases: readonly Partial<NewCase>[]): Promise<Suite> {
    const created = await this.json<Suite>('POST', '/api/suites', { workspace: this.workspace.id, ...suite })
    for (let start = 0; start < cases.length; start += CASES_PER_REQUEST)
      await this.json('POST', `/api/suites/${created.id}/cases`, {
        cases: cases.slice(start, start + CASES_PER_REQUEST),
      })
    return created
  }

  async runExperiment({ id: suite }: Suite, given: object = {}): Promise<Experiment> {
    const body = { at_once: CONCURRENT_ROWS, ...given }
    const { id } = await this.json<Experiment>('POST', `/api/suites/${suite}/experiments`, body)
    for (;;) {
      const experiment = await this.json<Experiment>('GET', `/api/experiments/${id}`)
      if (experiment.batch.state === 'paused') throw new Error(`the experiment has paused: ${experiment.batch.pause}`)
      if (experiment.batch.state === 'ended' && experiment.batch.counts.running === 0) return experiment
      await wait(POLL_INTERVAL_MS)
    }
  }

  /** What became worse, and why. */
  async compare(before: Experiment, after: Experiment): Promise<{ regressed: number; causes: ExperimentCauses }> {
    const path = `/api/experiments/${after.id}`
    const { counts } = await this.json<ExperimentComparison>('GET', `${path}/comparison?with=${before.id}&limit=1`)
    const causes = await this.json<ExperimentCauses>('GET', `${path}/causes?with=${before.id}`)
    return { regressed: counts.regressed, causes }
  }
}

/** The longest words are in few paragraphs only. */
const toRareWords = (text: string): string[] =>
  [...new Set(text.replaceAll('.', '').split(' '))].toSorted((one, other) => other.length - one.length)
