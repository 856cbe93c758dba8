import { compareTexts, type TextComparison } from './text.ts'

/** Compares two texts apart from the page, which goes on meanwhile. One question, one reply. */
const scope = globalThis as unknown as {
  postMessage: (comparison: TextComparison) => void
  onmessage: ((event: MessageEvent<{ before: string; after: string }>) => void) | null
}

scope.onmessage = ({ data: { before, after } }) => scope.postMessage(compareTexts(before, after))
