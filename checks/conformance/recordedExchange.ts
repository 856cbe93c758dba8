import { findPlatformEntry } from '#contract/platformEntries.ts'
import { type DriftObservation, observeError, observeEvent, observeReply } from '#domain/contractDrift/observeReply.ts'
import { readPlatformError } from '#domain/platformErrors/readPlatformError.ts'
import { getEntryFold } from '#domain/stream/eventFolds.ts'
import { parseBlockEvent } from '#domain/stream/sseBlock.ts'
import { isRefusal, isStream, type RecordedExchange, toOperation, toPieces } from '#support/recordings/recordings.ts'
import {
  type FoldState,
  type GeneratingEntry,
  isAnswerState,
  toGeneratingEntry,
  toRunStatus,
} from '../../server/ledger/runStatus.ts'
import { EventSplitter } from '../../server/runs/streaming/eventSplitter.ts'

/** What the contract makes of one recorded exchange. */
export interface ExchangeVerdict {
  name: string
  /** The contract entry, or the method and path of a request that the contract cannot make. */
  operation: string
  hasEntry: boolean
  /** The contract's reading in a few words: `reply`, `404 Segment not found.`, `15 events, stopped`. */
  summary: string
  /** What differs from the contract or cannot be read, in one line; null if nothing. */
  difference: string | null
}

/** What a release was recorded to send against the contract, by exchange, and why the contract does not follow. */
const KNOWN_DIFFERENCES: Record<string, { difference: string; reason: string }> = {
  'text to audio, model fails': {
    difference: 'error text',
    reason: '1.16.1 answers in plain text where a model of speech fails',
  },
}

/** The verdict on a recorded exchange. A known difference is in its summary. */
export function judgeExchange(exchange: RecordedExchange): ExchangeVerdict {
  const verdict = readExchange(exchange)
  const known = KNOWN_DIFFERENCES[exchange.name]
  if (!known || known.difference !== verdict.difference) return verdict
  return { ...verdict, summary: `known difference: ${known.difference}, ${known.reason}`, difference: null }
}

/**
 * Reads a recorded exchange as the console would: its reply by the contract, its refusal as words, its stream by the fold.
 * A stream that passes unread is a reply.
 */
function readExchange(exchange: RecordedExchange): ExchangeVerdict {
  const found = findPlatformEntry(exchange.request.method, exchange.request.path)
  const { name, response } = exchange
  const body = parseBody(response.body)
  const verdict = { name, operation: found?.name ?? toOperation(exchange.request), hasEntry: found !== null }
  if (isRefusal(exchange)) {
    const { message } = readPlatformError(response.status, body)
    const drift = found ? observeError(found.entry, response.status, body, new Map()) : []
    return { ...verdict, summary: `${response.status} ${message}`, difference: describeDrift(drift) }
  }
  const streamEntry = findStreamEntry(exchange)
  if (streamEntry) {
    const judged = judgeStream(exchange, streamEntry)
    return { ...verdict, ...judged, summary: found ? judged.summary : `no contract entry, ${judged.summary}` }
  }
  if (!found) return { ...verdict, summary: 'no contract entry', difference: null }
  const drift = observeReply(found.entry, response.status, body, new Map())
  const isRead = found.entry.reply.safeParse(body).success
  return {
    ...verdict,
    summary: 'reply',
    difference: describeDrift(drift) ?? (isRead ? null : 'is not read by the entry'),
  }
}

/** The entry whose fold reads a recorded stream; null for a stream that passes unread, and for a reply. */
export function findStreamEntry(exchange: RecordedExchange): GeneratingEntry | null {
  const found = findPlatformEntry(exchange.request.method, exchange.request.path)
  if (!isStream(exchange) || found?.entry.mediaType) return null
  const isChatflow = found?.name === 'adjacent.runEvents' && exchange.response.body.includes('"conversation_id":"')
  return isChatflow ? 'chat.send' : toGeneratingEntry(found?.name ?? '')
}

/** The end of a stream without its terminal event: the reader left, or the platform broke off. */
const isCutShort = ({ response }: RecordedExchange): boolean => Boolean(response.cut ?? response.aborted)

function judgeStream(
  exchange: RecordedExchange,
  entry: GeneratingEntry,
): Pick<ExchangeVerdict, 'summary' | 'difference'> {
  const { state, events } = foldRecordedStream(exchange, entry)
  const drift = events.flatMap((event) => observeEvent(entry, event, new Map()))
  const unknown = isAnswerState(state) ? [...state.unknown, ...state.run.unknown] : state.unknown
  const status = toRunStatus(state)
  return {
    summary: `${events.length} events, ${status}`,
    difference:
      describeDrift(drift) ??
      (unknown.length > 0 ? `does not fold ${unknown.map(({ event }) => event).join(', ')}` : null) ??
      (status === 'interrupted' && !isCutShort(exchange) ? 'has no end, though the platform closed it' : null),
  }
}

/** Splits and folds a stream piece by piece, in the sizes in which it arrived. Pings are no events. */
export function foldRecordedStream(
  exchange: RecordedExchange,
  entry: GeneratingEntry,
): { state: FoldState; events: unknown[] } {
  const splitter = new EventSplitter()
  const eventFold = getEntryFold(entry)
  const blocks = toPieces(exchange).flatMap((piece) => [...splitter.push(piece)])
  const rest = splitter.end()
  const events = [...blocks, ...(rest ? [rest] : [])]
    .map(({ text }) => parseBlockEvent(text))
    .filter((event) => event !== undefined)
  return { state: events.reduce<FoldState>((state, event) => eventFold.fold(state, event), eventFold.initial), events }
}

const describeDrift = (drift: readonly DriftObservation[]): string | null =>
  drift.length === 0
    ? null
    : [
        ...new Set(drift.map(({ kind, event, path, value }) => [kind, event, path, value].filter(Boolean).join(' '))),
      ].join('; ')

/** An empty body is null, one that is no JSON is its text. */
function parseBody(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
