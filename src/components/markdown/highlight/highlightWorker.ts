import type { ColourRequest } from './highlightWorkerClient.ts'
import { highlightCode, type CodeToken } from './highlightCode.ts'

const highlightWorkerScope = globalThis as unknown as {
  onmessage: (event: MessageEvent<ColourRequest>) => void
  postMessage: (pieces: CodeToken[] | null) => void
}

highlightWorkerScope.onmessage = ({ data: { code, language } }) =>
  highlightWorkerScope.postMessage(highlightCode(code, language))
