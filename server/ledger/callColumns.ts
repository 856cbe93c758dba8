import { asJson, asRecord } from '#domain/stream/untrustedJson.ts'
import type { AnswerState } from '#domain/answer/answerState.ts'
import { isSuccessStatus } from '#contract/console/runs.ts'
import { findErrorCause, isStopCause } from '#domain/workflowRun/endCauses.ts'
import type { RunState } from '#domain/workflowRun/runState.ts'
import { toStorableText } from '../db/storableText.ts'
import type { CallEnd } from './callRow.ts'
import { collectText } from './searchText.ts'

/** Searchable characters of a request and of its reply. */
export const MAX_SEARCH_TEXT_CHARS = 6000

/** The search text of a reply: the problem, the answer or outputs, and the names and texts of its sources. */
export function collectReplyText({ answer, reply, problem }: CallEnd): string {
  const { text, outputs, error, sources } = (answer ?? {}) as Record<string, unknown>
  const [names, texts] = collectSourceText(sources)
  // Names come before the answer, which may exceed the stored length.
  const parts = answer
    ? [names, collectText([error, text], MAX_SEARCH_TEXT_CHARS), collectText(outputs, MAX_SEARCH_TEXT_CHARS), texts]
    : [collectText(reply, MAX_SEARCH_TEXT_CHARS)]
  return [problem?.message ?? '', collectText(problem?.upstream?.body, 500), ...parts].filter(Boolean).join('\n')
}

/** Characters of a failure's message in lists and groups. */
export const MAX_FAILURE_CHARS = 300

/**
 * The message of a failure: of the call, of its stream, or of its workflow; null for a call that did not fail. Also why the
 * platform stopped a run that no client stopped.
 */
export function getFailureMessage({ status, problem, answer }: Pick<CallEnd, 'status' | 'problem' | 'answer'>) {
  if (isSuccessStatus(status) || status === 'paused') return null
  const state = (answer ?? {}) as Partial<AnswerState & RunState>
  const message = problem?.message ?? state.problem?.message ?? state.error ?? state.run?.error ?? null
  return status === 'stopped' && isStopCause(findErrorCause(message)) ? null : message
}

function collectSourceText(sources: unknown): [names: string, texts: string] {
  const sourceRecords = (Array.isArray(sources) ? sources : []).map((source) => asRecord(source) ?? {})
  return [
    collectText(
      sourceRecords.map(({ document_name }) => document_name),
      500,
    ),
    collectText(
      sourceRecords.map(({ content }) => content),
      MAX_SEARCH_TEXT_CHARS,
    ),
  ]
}

/** JSON that the database cannot store (a platform may nest it without limit) is replaced by a note. */
export const toStorableJson = (value: unknown): string | null =>
  value === undefined || value === null ? null : JSON.stringify(asJson(value))

/** The length of an index entry is limited. */
export const toStorableId = (id: string | null | undefined) => toStorableText(id, 255)

export const MAX_INT4 = 2_147_483_647

/** A platform may report fractions; the column holds integers. */
export const toStorableInteger = (value: number | null | undefined): number | null =>
  typeof value === 'number' && Number.isFinite(value)
    ? Math.round(Math.min(Math.max(value, -MAX_INT4), MAX_INT4))
    : null
