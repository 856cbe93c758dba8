import { CJK_RADICALS, foldCompatibility, RADICAL_IDEOGRAPHS } from '#domain/chunking/foldCompatibility.ts'

/** A page of a list in the interface's format. */
export const toListPage = <Item>(data: Item[], total: number, { page, limit }: { page: number; limit: number }) => ({
  data,
  has_more: page * limit < total,
  limit,
  total,
  page,
})

/** A LIKE pattern for texts that contain the keyword, which is taken literally; for `toKeywordCondition`. */
export const toKeywordPattern = (keyword: string | undefined): string =>
  `%${foldCompatibility(keyword ?? '').replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`

/**
 * SQL: whether a text has a keyword, by its pattern in parameter `param`. Words that look the same are the same: a text
 * with full-width letters, ligatures or radicals is folded as the pattern was. Only such texts are: folding costs time.
 * Without a keyword no text is read.
 */
export function toKeywordCondition(column: string, param: string): string {
  const radicals = `${column} ~ '[\u2E80-\u2EF3\u2F3E]'`
  const ideographs = `CASE WHEN ${radicals} THEN translate(${column}, '${CJK_RADICALS}', '${RADICAL_IDEOGRAPHS}') ELSE ${column} END`
  return `(${param} = '%%' OR ${column} ILIKE ${param} OR ((${column} IS NOT NFKC NORMALIZED OR ${radicals})
            AND normalize(${ideographs}, NFKC) ILIKE ${param}))`
}
