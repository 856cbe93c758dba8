import type { Pool } from 'pg'
import { contract } from '#contract/index.ts'
import type { Experiment, RetrievedPassage } from '#contract/console/suites.ts'
import { collectSources } from '#domain/answer/collectSources.ts'
import type { CitedPassage } from '#domain/experiments/rankCauses.ts'
import { toPassageText } from '#domain/retrieval/passageText.ts'
import { type FoldState, isAnswerState } from '../../ledger/runStatus.ts'
import { parseBySchema } from '#domain/losslessJson.ts'

export interface CitedAnswer {
  experiment_id: string
  case_id: string
  passages: CitedPassage[]
  document_names: Map<string, string>
  began_at: Date | null
  ended_at: Date | null
}

/** Cases whose answers are read at once; an answer may be large. */
const CASES_PER_QUERY = 25
/** Maximum bytes of a stored answer; of a larger one only the ids are known. */
const MAX_ANSWER_BYTES = 1_000_000

/** What the answers of these cases cited in both experiments, one repetition each: all had the same outcome. */
export async function listCitedAnswers(
  pool: Pool,
  experiments: readonly Experiment[],
  cases: readonly string[],
): Promise<CitedAnswer[]> {
  const answers: CitedAnswer[] = []
  for (let start = 0; start < cases.length; start += CASES_PER_QUERY) {
    const { rows } = await pool.query<AnswerRow>(
      `SELECT DISTINCT ON (results.experiment_id, results.case_id) results.experiment_id, results.case_id, results.found,
         ${ANSWER_COLUMNS}
       FROM experiment_results AS results
       JOIN batch_rows ON batch_rows.batch_id = results.experiment_id AND batch_rows.number = results.number
       LEFT JOIN calls ON calls.id = batch_rows.run_id
       WHERE results.experiment_id = ANY($1::uuid[]) AND results.case_id = ANY($2::uuid[])
       ORDER BY results.experiment_id, results.case_id, results.number`,
      [experiments.map(({ id }) => id), cases.slice(start, start + CASES_PER_QUERY)],
    )
    answers.push(...rows.map((row) => toCitedAnswer(row, experiments)))
  }
  return answers
}

const ANSWER_COLUMNS = `calls.created_at, calls.duration_ms,
  CASE WHEN pg_column_size(calls.reply) <= ${MAX_ANSWER_BYTES} THEN calls.reply END AS reply,
  CASE WHEN pg_column_size(calls.answer) <= ${MAX_ANSWER_BYTES} THEN calls.answer END AS answer`

interface AnswerRow {
  experiment_id: string
  case_id: string
  found: RetrievedPassage[] | null
  created_at: Date | null
  duration_ms: number | null
  reply: unknown
  answer: unknown
}

function toCitedAnswer(row: AnswerRow, experiments: readonly Experiment[]): CitedAnswer {
  const { experiment_id, case_id, created_at, duration_ms } = row
  const dataset_id = experiments.find(({ id }) => id === experiment_id)?.target.dataset_id ?? null
  const { passages, document_names } = readPassages(row, dataset_id)
  const stored = (row.found ?? []).map(({ segment_id, document_id }) => ({
    segment_id,
    document_id,
    dataset_id,
    text: null,
  }))
  return {
    experiment_id,
    case_id,
    passages: passages.length > 0 ? passages : stored,
    document_names,
    began_at: created_at,
    ended_at: created_at && new Date(created_at.getTime() + (duration_ms ?? 0)),
  }
}

interface ReadPassages {
  passages: CitedPassage[]
  document_names: Map<string, string>
}

function readPassages(row: Pick<AnswerRow, 'reply' | 'answer'>, dataset_id: string | null): ReadPassages {
  const document_names = new Map<string, string>()
  const state = row.answer as FoldState | null
  if (state) {
    const sources = collectSources(isAnswerState(state) ? state : { sources: [], run: state })
    const passages = sources.flatMap((source): CitedPassage[] => {
      if (!source.segment_id) return []
      if (source.document_id && source.document_name) document_names.set(source.document_id, source.document_name)
      return [
        {
          segment_id: source.segment_id,
          document_id: source.document_id ?? null,
          dataset_id: source.dataset_id ?? dataset_id,
          text: source.content ?? null,
        },
      ]
    })
    return { passages, document_names }
  }
  const { data } = parseBySchema(contract.adjacent.retrieve.reply, row.reply)
  const passages = (data?.records ?? []).flatMap(({ segment }): CitedPassage[] => {
    if (!segment) return []
    const { id: segment_id, document, content, answer } = segment
    const document_id = segment.document_id ?? document?.id ?? null
    if (document_id && document?.name) document_names.set(document_id, document.name)
    return [{ segment_id, document_id, dataset_id, text: content ? toPassageText({ content, answer }) : null }]
  })
  return { passages, document_names }
}

/** Answers that are searched for the text of a segment before an edit. */
const MAX_SEARCHED_ANSWERS = 100

/** The texts of segments as cited by answers of an experiment; uncited ones are missing. */
export async function findCitedTexts(
  pool: Pool,
  experiment: Experiment,
  segments: readonly string[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  if (segments.length === 0) return texts
  const { rows } = await pool.query<Pick<AnswerRow, 'reply' | 'answer'>>(
    `SELECT ${ANSWER_COLUMNS} FROM batch_rows JOIN calls ON calls.id = batch_rows.run_id
     WHERE batch_rows.batch_id = $1 AND calls.resource_ids && $2::text[]
     ORDER BY batch_rows.number LIMIT ${MAX_SEARCHED_ANSWERS}`,
    [experiment.id, segments],
  )
  for (const row of rows)
    for (const { segment_id, text } of readPassages(row, null).passages)
      if (text !== null && !texts.has(segment_id)) texts.set(segment_id, text)
  return texts
}
