import { compareTexts, type TextComparison } from './compareTexts.ts'

/** Compares two texts apart from the page, which goes on meanwhile. One question, one reply. */
const workerScope = globalThis as unknown as {
  postMessage: (comparison: TextComparison) => void
  onmessage: ((event: MessageEvent<{ before: string; after: string }>) => void) | null
}

workerScope.onmessage = ({ data: { before, after } }) => workerScope.postMessage(compareTexts(before, after))
