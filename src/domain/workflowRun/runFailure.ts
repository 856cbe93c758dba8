import type { RunNode, RunState } from './runState.ts'

/** The node at which a run failed, and its error message. */
export interface FailureLocation {
  node: RunNode | null
  error: string
}

/**
 * Where a run failed: the innermost failed node, the last of several; no node if the run failed as a whole. `otherwise`
 * is the error known from outside the run's state.
 */
export function locateFailure(run: RunState, fallback: string): FailureLocation {
  const failed = run.nodes.filter(({ status }) => status === 'failed')
  const node = failed.findLast(({ kind }) => kind === 'node') ?? failed.at(-1) ?? null
  return { node, error: node?.error ?? run.error ?? run.problem?.message ?? fallback }
}

/** Two failures are equal if their messages differ only in ids, numbers and quoted values. */
export const toFailureSignature = (error: string): string =>
  error
    .slice(0, 500)
    .toLowerCase()
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27,}|0x[0-9a-f]+|\d[\d.,:]*/g, '#')
    .replace(/(["'“”‘’`])(?:(?!\1)[^“”‘’]){1,200}?["'“”‘’`]/g, '…')
    .replace(/\s+/g, ' ')
    .trim()
