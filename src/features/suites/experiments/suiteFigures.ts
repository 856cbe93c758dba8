import type { CaseExpectation, Experiment, Suite } from '#contract/console/suites.ts'

/** Whether one of these experiments, or the newest of the suite, is running. */
export const isAnyRunning = ({ last }: Suite, experiments: readonly Experiment[] = []): boolean =>
  [last, ...experiments].some((experiment) => experiment?.batch.state === 'running')

/** A share with two digits after the point; null where nothing was measured. */
export const formatMeasure = (value: number | null): string | null => (value === null ? null : value.toFixed(2))

/** What a case expects: the first label, and how many more there are. */
export function summarizeExpectation({ segments = [], documents = [] }: CaseExpectation): {
  first: { label: string; isDocument: boolean; segment?: string; document?: string } | null
  more: number
} {
  const all = [
    ...segments.map(({ id, label, document_id }) => ({
      label: label ?? id.slice(0, 8),
      isDocument: false,
      segment: id,
      ...(document_id === undefined ? {} : { document: document_id }),
    })),
    ...documents.map(({ id, label }) => ({ label: label ?? id.slice(0, 8), isDocument: true, document: id })),
  ]
  return { first: all[0] ?? null, more: Math.max(0, all.length - 1) }
}

/** The settings of an experiment in one line, as the platform names them; null for those of the dataset. */
export function summarizeSettings({ target }: Experiment): string | null {
  const { retrieval_model: model } = target
  if (!model) return null
  const parts = [
    model.search_method,
    model.top_k == null ? null : `top_k ${model.top_k}`,
    model.score_threshold_enabled ? `threshold ${model.score_threshold ?? 0}` : null,
    model.reranking_enable ? 'rerank' : null,
  ]
  return parts.filter((part) => part != null).join(', ')
}
