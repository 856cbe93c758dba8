import { setTimeout as sleep } from 'node:timers/promises'
import type { Model, ModelMessage, ModelUsage } from './model.ts'
import { splitPieces } from './textPieces.ts'

/** A text to generate: the model's prompt, and the extractive alternative without a model. */
export interface WriteRequest {
  messages: ModelMessage[]
  extract: () => string
  signal: AbortSignal
  onPiece: (piece: string) => void | Promise<void>
}

export interface AnswerWriter {
  /** The author: the model's name, or `extractive`. */
  name: string
  /**
   * Generates the complete text.
   * @returns the usage that the model reports; null if it reports none
   * @throws ModelError, or the signal's reason when stopped
   */
  write: (writing: WriteRequest) => Promise<ModelUsage | null>
}

/** Delay between two pieces of an extracted text in ms: about reading speed. */
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
      // Holds back half of a surrogate pair until the other half arrives.
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
