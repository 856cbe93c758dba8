import { JsonScanner } from '#domain/stream/jsonScanner.ts'
import { parseBlockEvent, parseCutEvent, parseSseBlock } from '#domain/stream/sseBlock.ts'
import { asRecord } from '#domain/stream/untrustedJson.ts'
import { getOrCreate, KeyPieceSearch, redact, removeSpans } from '../../vault/keyRedaction.ts'
import type { RestReader } from './eventSplitter.ts'
import type { NewFrame } from './frameWriter.ts'
import { isJsonContainer } from '#domain/losslessJson.ts'

export interface CleanFrame {
  frame: NewFrame
  event: unknown
}

/** The redacted first part of an event, its readable data, and the reader of the rest. */
export interface CutEvent {
  block: string
  event: unknown
  readRest: RestReader
}

/** Deeper texts are searched in each frame, but not across frames. */
export const MAX_FOLLOWED_DEPTH = 16

/**
 * Removes a key from a stream, even if its pieces are spread over frames (`{"answer": "app-se"}`, `{"answer":
 * "cret"}`). No frame is delayed: at most eleven characters of the secret part pass; from the twelfth on everything
 * is removed.
 */
export class StreamRedactor {
  readonly #secret: string
  readonly #places = new Map<string, KeyPieceSearch>()
  hasRedacted = false

  constructor(secret: string) {
    this.#secret = secret
  }

  /** A redacted frame keeps only its text, not the bytes that are invalid text. */
  clean(frame: NewFrame): CleanFrame {
    const { block, event } = this.#cleanBlock(frame.block, parseBlockEvent)
    return { frame: block === frame.block ? frame : { ...frame, block, raw: undefined }, event }
  }

  /**
   * The first part of an event that is not stored in full. The rest is searched as well: a key may continue in the
   * next event.
   */
  cleanCut(text: string): CutEvent {
    const { data } = parseSseBlock(text)
    const clean = this.#cleanBlock(text, (block) => parseCutEvent(parseSseBlock(block).data))
    const source = toSourceKey(clean.event)
    const redactRest = (piece: string, path: string) => void this.#redactPiece(piece, path, source)
    if (!/^\s*[[{]/.test(data ?? '')) return { ...clean, readRest: (rest) => redactRest(rest.toString('latin1'), '') }
    const scanner = new JsonScanner()
    scanner.scan(data ?? '')
    return { ...clean, readRest: (rest) => scanner.scanLines(rest.toString('latin1'), redactRest) }
  }

  #cleanBlock(text: string, parse: (block: string) => unknown): Omit<CutEvent, 'readRest'> {
    const event = parse(text)
    const followed = this.#follow(event, '', 0, toSourceKey(event))
    const block = redact(followed === event ? text : writeBlock(text, followed), this.#secret)
    if (block === text) return { block, event }
    this.hasRedacted = true
    return { block, event: parse(block) }
  }

  /** @returns the same value if it contains no part of the key */
  #follow(value: unknown, path: string, depth: number, source: string): unknown {
    if (typeof value === 'string') return this.#redactPiece(value, path, source)
    if (!isJsonContainer(value) || depth === MAX_FOLLOWED_DEPTH) return value
    const copy: Record<string, unknown> = {}
    for (const [name, part] of Object.entries(value)) {
      const clean = this.#follow(part, `${path}/${name}`, depth + 1, source)
      if (clean !== part) copy[name] = clean
    }
    if (Object.keys(copy).length === 0) return value
    return Array.isArray(value) ? Object.assign([...(value as unknown[])], copy) : { ...value, ...copy }
  }

  /** Pieces of a text may come in events of several kinds, or between pieces of another text in the same field. */
  #redactPiece(piece: string, path: string, source: string): string {
    const spans = [path, source + path].flatMap((place) =>
      getOrCreate(this.#places, place, () => new KeyPieceSearch(this.#secret)).find(piece),
    )
    if (spans.length === 0) return piece
    this.hasRedacted = true
    return removeSpans(piece, spans)
  }
}

/** Distinguishes the texts of one field: the event, and the node, tool call or message that it belongs to. */
function toSourceKey(event: unknown): string {
  const { event: name, id, data } = asRecord(event) ?? {}
  const { from_variable_selector, node_id, id: inner } = asRecord(data) ?? {}
  return JSON.stringify([name, from_variable_selector ?? node_id ?? inner ?? id])
}

/** Rewrites a frame that contained a part of a key; its other fields and lines are unchanged. */
function writeBlock(block: string, event: unknown): string {
  const lines = block.split('\n').filter((line) => !/^data(:|$)/.test(line))
  const isText = typeof event === 'string' && !parseSseBlock(block).data?.startsWith('"')
  const data = isText ? event.split('\n') : [JSON.stringify(event)]
  return [...lines, ...data.map((line) => `data: ${line}`)].join('\n')
}
