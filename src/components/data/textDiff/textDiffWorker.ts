import { compareTexts, type TextComparison } from './compareTexts.ts'

/** Compares two texts off the main thread. One request, one response. */
const workerScope = globalThis as unknown as {
  postMessage: (comparison: TextComparison) => void
  onmessage: ((event: MessageEvent<{ before: string; after: string }>) => void) | null
}

workerScope.onmessage = ({ data: { before, after } }) => workerScope.postMessage(compareTexts(before, after))
