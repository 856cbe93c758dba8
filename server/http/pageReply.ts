/** A page of a list whose total is known, as the console's endpoints answer it. */
export const toPageReply = <Item>(
  { data, total }: { data: Item[]; total: number },
  { page, limit }: { page: number; limit: number },
) => ({ data, total, page, limit, has_more: page * limit < total })
