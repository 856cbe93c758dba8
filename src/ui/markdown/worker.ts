import type { Found, Wanted } from './colours.ts'
import { highlight } from './highlight.ts'

const scope = globalThis as unknown as {
  onmessage: (event: MessageEvent<Wanted>) => void
  postMessage: (found: Found) => void
}

scope.onmessage = ({ data: { id, code, language } }) => scope.postMessage({ id, pieces: highlight(code, language) })
