import { z } from 'zod'

const Content = z.object({ content: z.string().min(1) })
const TitledBody = z.object({
  name: z.string().optional().catch(undefined),
  question: z.string().optional().catch(undefined),
  query: z.string().optional().catch(undefined),
  content: z.string().optional().catch(undefined),
  segment: Content.optional().catch(undefined),
  segments: z.array(Content).optional().catch(undefined),
})

/** The text of a request that names it in a list; undefined where it has none. */
export function getRequestTitle(requestBody: unknown): string | undefined {
  const { data } = TitledBody.safeParse(requestBody)
  return [
    data?.name,
    data?.question,
    data?.query,
    data?.content,
    data?.segment?.content,
    data?.segments?.[0]?.content,
  ].find((text) => text)
}
