import type { CaseExpectation } from '#contract/console/suites.ts'

/** A question with what it should find, to be added to a suite. */
export interface PendingCase {
  query: string
  expected: CaseExpectation
}

/** What a case expects, in one line; null where it names nothing. */
export function findExpectedLabel({
  segments = [],
  documents = [],
}: CaseExpectation): { label: string; isDocument: boolean } | null {
  const [segment] = segments
  const [document] = documents
  if (segment) return { label: segment.label ?? segment.id.slice(0, 8), isDocument: false }
  return document ? { label: document.label ?? document.id.slice(0, 8), isDocument: true } : null
}
