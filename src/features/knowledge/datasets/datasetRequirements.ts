import type { z } from 'zod'

/** Requirements of every platform, so that errors show at the field before a request. */
export const withRequiredFields = <Schema extends z.ZodType>(schema: Schema): Schema =>
  schema.superRefine((body, context) => {
    const requireField = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
    const { provider, permission, partial_member_list, retrieval_model, ...rest } = body as Record<string, unknown>
    if (provider === 'external')
      for (const name of ['external_knowledge_api_id', 'external_knowledge_id'])
        if (!rest[name]) requireField([name], 'is required where the provider is external')
    if (permission === 'partial_members' && Array.isArray(partial_member_list) && partial_member_list.length === 0)
      requireField(['partial_member_list'], 'must have at least 1 member where the permission is partial_members')
    const retrieval = retrieval_model as Record<string, unknown> | undefined
    // Upstream checks the four fields of a retrieval model together; the two flags have a value of their own.
    if (retrieval && (typeof retrieval['weights'] === 'object' || typeof retrieval['reranking_mode'] === 'string'))
      for (const name of ['search_method', 'top_k'])
        if (retrieval[name] === undefined)
          requireField(['retrieval_model', name], 'is required with the other retrieval settings by this platform')
  }) as Schema
