import { setTimeout as sleep } from 'node:timers/promises'
import type { Model, ModelMessage, ModelUsage } from './model.ts'
import { splitPieces } from './textPieces.ts'

/** A text to be written: what a model is told, and how the text is made where there is no model. */
export interface WriteRequest {
  messages: ModelMessage[]
  extract: () => string
  signal: AbortSignal
  /** Called with each piece as it comes. Joined they are the text. */
  onPiece: (piece: string) => void | Promise<void>
}

export interface AnswerWriter {
  /** Who writes: the model's name, or `extractive`. */
  name: string
  /**
   * Writes the text to its end.
   * @returns what the model says it used, null where nothing was said
   * @throws ModelFailure, or the signal's reason when stopped
   */
  write: (writing: WriteRequest) => Promise<ModelUsage | null>
}

/** Milliseconds between two pieces of an extracted text: about as fast as a person reads along. */
export const PIECE_DELAY_MS = 25

export function createAnswerWriter(model: Model | null, piece_delay_ms: number = PIECE_DELAY_MS): AnswerWriter {
  return model
    ? { name: model.name, write: (writing) => writeWithModel(model, writing) }
    : createExtractiveWriter(piece_delay_ms)
}

async function writeWithModel(model: Model, { messages, signal, onPiece }: WriteRequest): Promise<ModelUsage | null> {
  let usage: ModelUsage | null = null
  let pendingText = ''
  for await (const part of model.chat({ messages, signal })) {
    if ('usage' in part) usage = part.usage
    else {
      const text = pendingText + part.text.replaceAll('\0', '')
      // Half a character waits for its other half.
      pendingText = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : ''
      const piece = text.slice(0, text.length - pendingText.length).toWellFormed()
      if (piece) await onPiece(piece)
    }
  }
  if (pendingText) await onPiece(pendingText.toWellFormed())
  return usage
}

function createExtractiveWriter(piece_delay_ms: number): AnswerWriter {
  return {
    name: 'extractive',
    write: async ({ extract, signal, onPiece }) => {
      signal.throwIfAborted()
      for (const piece of splitPieces(extract())) {
        if (piece_delay_ms > 0) await sleep(piece_delay_ms, undefined, { signal }).catch(() => signal.throwIfAborted())
        await onPiece(piece)
      }
      return null
    },
  }
}
