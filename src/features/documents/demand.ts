import type { z } from 'zod'

interface Segmentation {
  separator?: string
  max_tokens?: number
  chunk_overlap?: number
}

/** What every platform refuses in a document, so that it is said at the field before anything is sent. */
export const demanding = <Schema extends z.ZodType>(schema: Schema): Schema =>
  schema.superRefine((body, context) => {
    const { text, process_rule } = body as {
      text?: string
      process_rule?: { rules?: Record<string, unknown> | null }
    }
    const demand = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
    if (text !== undefined && text !== '' && text.trim() === '') demand(['text'], 'must not be blank')
    for (const name of ['segmentation', 'subchunk_segmentation']) {
      const cut = process_rule?.rules?.[name] as Segmentation | undefined
      if (!cut) continue
      const at = ['process_rule', 'rules', name]
      if (!cut.separator) demand([...at, 'separator'], 'must not be empty')
      if (cut.max_tokens === undefined) demand([...at, 'max_tokens'], 'is required')
      else if ((cut.chunk_overlap ?? 0) >= cut.max_tokens)
        demand([...at, 'chunk_overlap'], `must be less than max_tokens, which is ${cut.max_tokens}`)
    }
  }) as Schema
