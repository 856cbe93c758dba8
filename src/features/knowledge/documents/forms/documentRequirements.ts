import type { z } from 'zod'

interface SegmentationInput {
  separator?: string
  max_tokens?: number
  chunk_overlap?: number
}

/**
 * Requirements of every platform, so that errors show at the field before a request.
 * @param hasRule whether the document has a rule, which an update may keep
 */
export const withRequiredDocumentFields = <Schema extends z.ZodType>(schema: Schema, hasRule = true): Schema =>
  schema.superRefine((body, context) => {
    const { text, process_rule } = body as {
      text?: string
      process_rule?: { rules?: Record<string, unknown> | null }
    }
    const requireField = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
    if (text !== undefined && text !== '' && text.trim() === '') requireField(['text'], 'must not be blank')
    if (!hasRule && !process_rule)
      requireField(['process_rule', 'mode'], 'must be chosen: the document has no rule to keep')
    for (const name of ['segmentation', 'subchunk_segmentation']) {
      const separatorRule = process_rule?.rules?.[name] as SegmentationInput | undefined
      if (!separatorRule) continue
      const at = ['process_rule', 'rules', name]
      if (!separatorRule.separator) requireField([...at, 'separator'], 'must not be empty')
      if (separatorRule.max_tokens === undefined) requireField([...at, 'max_tokens'], 'is required')
      else if ((separatorRule.chunk_overlap ?? 0) >= separatorRule.max_tokens)
        requireField([...at, 'chunk_overlap'], `must be less than max_tokens, which is ${separatorRule.max_tokens}`)
    }
  }) as Schema
