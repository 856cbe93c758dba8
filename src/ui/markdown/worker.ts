import type { ColourRequest } from './colours.ts'
import { highlight, type Piece } from './highlight.ts'

const scope = globalThis as unknown as {
  onmessage: (event: MessageEvent<ColourRequest>) => void
  postMessage: (pieces: Piece[] | null) => void
}

scope.onmessage = ({ data: { code, language } }) => scope.postMessage(highlight(code, language))
