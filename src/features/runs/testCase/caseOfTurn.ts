import { type CaseExpectation, CaseInput, type SuiteTarget } from '#contract/console/suites.ts'
import type { Turn } from '../turn.ts'
import { type CaseDraft, toFilesText, toInputsText } from './caseDraft.ts'
import { truncateText } from '#contract/truncatedText.ts'

/** The draft of a case that asks what a run was asked, and expects its answer. */
export function toCaseDraft(target: SuiteTarget, { question, answer }: Turn): CaseDraft {
  const [output] = Object.entries((answer.run.outputs ?? {}) as Record<string, unknown>)
  return {
    query: question.query,
    earlierTurns: '',
    inputs: toInputsText(question.inputs),
    files: toFilesText(CaseInput.shape.files.safeParse(question.body.files).data),
    answer: answer.text,
    checks:
      target === 'workflow' && answer.text === ''
        ? output
          ? [{ type: 'json-path', path: `$.outputs['${output[0]}']`, value: output[1] }]
          : []
        : [{ type: 'similar' }],
  }
}

/** The sources of an answer, each once, as a case expects them. */
export function toExpectedSources({ answer }: Turn): NonNullable<CaseExpectation['segments']> {
  const sources = answer.sources.flatMap(({ segment_id, document_id, document_name }) =>
    segment_id
      ? [
          {
            id: segment_id,
            ...(document_id ? { document_id } : {}),
            ...(document_name ? { label: truncateText(document_name, MAX_LABEL_CHARS) } : {}),
          },
        ]
      : [],
  )
  return [...new Map(sources.map((source) => [source.id, source])).values()].slice(0, MAX_SOURCES)
}

const MAX_LABEL_CHARS = 300
const MAX_SOURCES = 100
