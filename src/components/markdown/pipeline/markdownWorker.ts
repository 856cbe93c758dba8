import { parseBlock, type ParsedBlock, type ParseRequest } from './parseBlock.ts'

const scope = globalThis as unknown as {
  onmessage: (event: MessageEvent<ParseRequest>) => void
  postMessage: (parsed: ParsedBlock) => void
}

scope.onmessage = ({ data }) => scope.postMessage(parseBlock(data))
