/** A page of a list as the interface answers it. */
export const pageOf = <Item>(data: Item[], total: number, { page, limit }: { page: number; limit: number }) => ({
  data,
  has_more: page * limit < total,
  limit,
  total,
  page,
})

/** A LIKE pattern for texts that contain the keyword, which is taken literally. */
export const contains = (keyword: string | undefined): string =>
  `%${(keyword ?? '').replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
