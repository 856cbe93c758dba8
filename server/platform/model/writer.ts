import { setTimeout as sleep } from 'node:timers/promises'
import type { Model, ModelMessage, ModelUsage } from './model.ts'
import { pieces } from './pieces.ts'

/** A text to be written: what a model is told, and how the text is made where there is no model. */
export interface Writing {
  messages: ModelMessage[]
  extract: () => string
  signal: AbortSignal
  /** Called with each piece as it comes. Joined they are the text. */
  onPiece: (piece: string) => void | Promise<void>
}

export interface Writer {
  /** Who writes: the model's name, or `extractive`. */
  name: string
  /**
   * Writes the text to its end.
   * @returns what the model says it used, null where nothing was said
   * @throws ModelFailure, or the signal's reason when stopped
   */
  write: (writing: Writing) => Promise<ModelUsage | null>
}

/** Milliseconds between two pieces of an extracted text: about as fast as a person reads along. */
export const PACE_MS = 25

export function openWriter(model: Model | null, pace_ms: number = PACE_MS): Writer {
  return model ? { name: model.name, write: (writing) => ask(model, writing) } : extractor(pace_ms)
}

async function ask(model: Model, { messages, signal, onPiece }: Writing): Promise<ModelUsage | null> {
  let used: ModelUsage | null = null
  let held = ''
  for await (const part of model.chat({ messages, signal })) {
    if ('usage' in part) used = part.usage
    else {
      const text = held + part.text.replaceAll('\0', '')
      // Half a character waits for its other half.
      held = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : ''
      const piece = text.slice(0, text.length - held.length).toWellFormed()
      if (piece) await onPiece(piece)
    }
  }
  if (held) await onPiece(held.toWellFormed())
  return used
}

function extractor(pace_ms: number): Writer {
  return {
    name: 'extractive',
    write: async ({ extract, signal, onPiece }) => {
      signal.throwIfAborted()
      for (const piece of pieces(extract())) {
        if (pace_ms > 0) await sleep(pace_ms, undefined, { signal }).catch(() => signal.throwIfAborted())
        await onPiece(piece)
      }
      return null
    },
  }
}
