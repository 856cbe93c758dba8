import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const CollectionSchema = z
  .object({
    name: z.string().min(1),
    lang: z.string().refine(isLanguageTag, 'must be a language tag such as en or zh-Hant'),
    docs: z.array(z.object({ id: z.string().min(1), title: z.string(), text: z.string().regex(/\S/) })).min(1),
    queries: z
      .array(
        z.object({
          id: z.string().min(1),
          text: z.string().regex(/\S/),
          rel: z.record(z.string(), z.number()),
          answers: z.array(z.string().regex(/\S/)).min(1).optional(),
        }),
      )
      .min(1),
  })
  .superRefine(({ docs, queries }, context) => {
    const ids = new Set<string>()
    for (const [index, { id }] of docs.entries()) {
      if (ids.has(id)) context.addIssue({ code: 'custom', path: ['docs', index, 'id'], message: `${id} is not unique` })
      ids.add(id)
    }
    for (const [index, { rel }] of queries.entries()) {
      const unknown = Object.keys(rel).find((id) => !ids.has(id))
      if (unknown !== undefined)
        context.addIssue({ code: 'custom', path: ['queries', index, 'rel', unknown], message: 'is not in docs' })
      if (findRelevant(rel).size === 0)
        context.addIssue({ code: 'custom', path: ['queries', index, 'rel'], message: 'has no relevant document' })
    }
  })

/** Documents, and questions with the documents that answer them. */
export type RetrievalCollection = z.output<typeof CollectionSchema>
export type CollectionQuery = RetrievalCollection['queries'][number]

/** Ids of the relevant documents: those with a grade above 0. */
export const findRelevant = (rel: CollectionQuery['rel']): ReadonlySet<string> =>
  new Set(Object.keys(rel).filter((id) => (rel[id] ?? 0) > 0))

/**
 * All collections of a folder, by name.
 * @throws Error which names the file and the field that is invalid.
 */
export function readCollections(folder: string): RetrievalCollection[] {
  if (!existsSync(folder))
    throw new Error(`There is no folder of collections ${folder}: name one with --collections DIR`)
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
  if (names.length === 0) throw new Error(`${folder} has no collection (*.json)`)
  const collections = names.map((name) => readCollection(join(folder, name)))
  for (const [index, { name }] of collections.entries())
    if (collections.findIndex((other) => other.name === name) < index)
      throw new Error(`${join(folder, names[index] ?? '')}: name: another file has ${name} too`)
  return collections
}

function readCollection(file: string): RetrievalCollection {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error(`${file} is not JSON`, { cause: error })
  }
  const result = CollectionSchema.safeParse(content)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new Error(`${file}: ${z.core.toDotPath(issue?.path ?? []) || 'the file'}: ${issue?.message}`)
}

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
