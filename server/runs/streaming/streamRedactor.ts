import { parseBlockEvent, parseSseBlock } from '#domain/stream/sseBlock.ts'
import { asRecord } from '#domain/stream/untrustedJson.ts'
import {
  copyTrack,
  isIdle,
  isSameTrack,
  type KeySearch,
  type KeyTrack,
  mergeRanges,
  getKeySearch,
} from '../../vault/keySearch.ts'
import { redact, redactBytes, removeRanges } from '../../vault/keyRedaction.ts'
import type { NewFrame } from './frameWriter.ts'

/** A redacted frame and its parsed data. */
export interface CleanFrame {
  frame: NewFrame
  event: unknown
}

/** Deeper texts are searched in each frame, but not across frames. */
export const MAX_FOLLOWED_DEPTH = 16
/** Texts that end with a possible prefix of a key. */
const MAX_TRACKS = 1_000
/** Texts of different sources in one place. */
const MAX_SOURCES = 50
const ANY_SOURCE = ''
/** Longer pieces are searched again when they are repeated. */
const MAX_REPEATED_CHARS = 256

/**
 * Removes a key that is split over several frames (`{"answer": "app-se"}`, `{"answer": "cret"}`), in texts that
 * each frame continues and in texts that each frame repeats and lets grow. No frame waits: up to eleven characters of the
 * secret part go on at once, and from the twelfth on nothing does, whatever comes.
 */
export class StreamRedactor {
  readonly #secret: string
  readonly #search: KeySearch | null
  /** By place, then by source. */
  readonly #tracks = new Map<string, ReadonlyMap<string, KeyTrack>>()
  /**
   * By place: the piece that came last, and whether searching it again left its tracks as they were. The ids of a stream stand
   * in each of its frames, and some of them end like the beginning of a key. `npm run bench -- frame`: redacting a frame takes 6
   * to 8 times as long as parsing it, and 18 to 20 times without this.
   */
  readonly #lastPieces = new Map<string, { piece: string; source: string; isSettled: boolean }>()
  #hasRedacted = false

  constructor(secret: string) {
    this.#secret = secret
    this.#search = getKeySearch(secret)
  }

  /** True once a part of the key was removed. */
  get hasRedacted(): boolean {
    return this.#hasRedacted
  }

  clean(frame: NewFrame): CleanFrame {
    const event = parseBlockEvent(frame.block)
    const followed = this.#search ? this.#redactEvent(event, this.#search) : event
    const written = followed === event ? frame.block : writeBlock(frame.block, followed)
    const block = redact(written, this.#secret)
    const raw = frame.raw && written === frame.block ? redactBytes(frame.raw, this.#secret) : undefined
    if (block === frame.block && raw === frame.raw) return { frame, event }
    this.#hasRedacted = true
    const { raw: _raw, ...rest } = frame
    return {
      frame: { ...rest, block, ...(raw ? { raw } : {}) },
      event: block === written ? followed : parseBlockEvent(block),
    }
  }

  #redactEvent(event: unknown, search: KeySearch): unknown {
    let source: string | undefined
    const sourceOnce = () => (source ??= toSourceKey(event))
    const walk = (value: unknown, path: string, depth: number): unknown => {
      if (typeof value === 'string') return this.#redactPiece(value, path, sourceOnce, search)
      if (typeof value !== 'object' || value === null || depth === MAX_FOLLOWED_DEPTH) return value
      let copy: Record<string, unknown> | null = null
      for (const name of Object.keys(value)) {
        const before = (value as Record<string, unknown>)[name]
        const after = walk(before, `${path}/${name}`, depth + 1)
        if (after === before) continue
        copy ??= (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>
        copy[name] = after
      }
      return copy ?? value
    }
    return walk(event, '', 0)
  }

  #redactPiece(piece: string, path: string, sourceOf: () => string, search: KeySearch): string {
    const tracksBefore = this.#tracks.get(path)
    const last = tracksBefore && this.#lastPieces.get(path)
    const isRepeated = last?.piece === piece && last.source === sourceOf()
    if (tracksBefore && isRepeated && last.isSettled) {
      this.#storeTracks(path, tracksBefore)
      return piece
    }
    const begun = search.startTrack(piece)
    if (!tracksBefore && !begun) return piece
    const copies =
      tracksBefore && isRepeated
        ? [...tracksBefore].map(([source, track]) => [source, copyTrack(track)] as const)
        : null
    // The pieces of a text may come in events of several kinds, or between pieces of another text in the same place.
    const after = new Map(tracksBefore)
    const ranges = [ANY_SOURCE, sourceOf()].flatMap((source) => {
      const track = tracksBefore?.get(source)
      const foundRanges = track ? search.findInPiece(piece, track) : []
      const nextTrack = track ?? (begun && copyTrack(begun))
      after.delete(source)
      if (nextTrack && !isIdle(nextTrack) && after.size < MAX_SOURCES) after.set(source, nextTrack)
      return foundRanges
    })
    this.#storeTracks(path, after)
    const isSettled = copies !== null && ranges.length === 0 && isSameTracks(copies, after)
    if (after.size > 0 && piece.length <= MAX_REPEATED_CHARS)
      this.#lastPieces.set(path, { piece, source: sourceOf(), isSettled })
    else this.#lastPieces.delete(path)
    return ranges.length === 0 ? piece : removeRanges(piece, mergeRanges(ranges))
  }

  #storeTracks(path: string, tracks: ReadonlyMap<string, KeyTrack>): void {
    this.#tracks.delete(path)
    if (tracks.size === 0) return
    const oldest = this.#tracks.size >= MAX_TRACKS ? this.#tracks.keys().next().value : undefined
    if (oldest !== undefined) {
      this.#tracks.delete(oldest)
      this.#lastPieces.delete(oldest)
    }
    this.#tracks.set(path, tracks)
  }
}

const isSameTracks = (
  before: readonly (readonly [source: string, track: KeyTrack])[],
  after: ReadonlyMap<string, KeyTrack>,
): boolean => before.length === after.size && before.every(([source, track]) => isSameTrack(track, after.get(source)))

/** What tells the texts of one place apart: the event, and the node, tool call or message that it speaks of. */
function toSourceKey(event: unknown): string {
  const { event: name, id, data } = asRecord(event) ?? {}
  const { from_variable_selector, node_id, id: inner } = asRecord(data) ?? {}
  return JSON.stringify([name, from_variable_selector ?? node_id ?? inner ?? id])
}

/** Rewrites a frame that held a part of a key; its other fields and lines are unchanged. */
function writeBlock(block: string, event: unknown): string {
  const lines = block.split('\n').filter((line) => !/^data(:|$)/.test(line))
  const isText = typeof event === 'string' && !parseSseBlock(block).data?.startsWith('"')
  const data = isText ? event.split('\n') : [JSON.stringify(event)]
  return [...lines, ...data.map((line) => `data: ${line}`)].join('\n')
}
