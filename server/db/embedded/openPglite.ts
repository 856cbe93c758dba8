import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { vector } from '@electric-sql/pglite-pgvector'

/** Opens the database of a folder in this thread, or makes it. */
export const openPglite = (folder: string): Promise<PGlite> =>
  PGlite.create(folder, {
    extensions: { pg_trgm, vector },
    startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'],
  })
