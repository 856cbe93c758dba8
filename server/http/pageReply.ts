export const toPageReply = <Item>(
  { data, total }: { data: Item[]; total: number },
  { page, limit }: { page: number; limit: number },
) => ({ data, total, page, limit, has_more: page * limit < total })
