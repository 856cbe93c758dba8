import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { vector } from '@electric-sql/pglite-pgvector'

/** The log sizes are those that a checkpoint leaves on disk (`CheckpointJob`). */
const SETTINGS = ['shared_buffers=16MB', 'max_wal_size=32MB', 'min_wal_size=32MB']

/** Opens or creates the database of a folder in this thread. */
export const openPglite = (folder: string): Promise<PGlite> =>
  PGlite.create(folder, {
    extensions: { pg_trgm, vector },
    startParams: [...PGlite.defaultStartParams, ...SETTINGS.flatMap((setting) => ['-c', setting])],
  })
