/** A page of a list in the interface's format. */
export const toListPage = <Item>(data: Item[], total: number, { page, limit }: { page: number; limit: number }) => ({
  data,
  has_more: page * limit < total,
  limit,
  total,
  page,
})

/** A LIKE pattern for texts that contain the keyword, which is taken literally. */
export const toKeywordPattern = (keyword: string | undefined): string =>
  `%${(keyword ?? '').replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
