export interface MigrationReview {
  /** Servers of a release before cannot work with the schema: all must end before it is applied. */
  isExclusive: boolean
  reason: string
}

/**
 * Migrations with statements that may break a server of an earlier release (`checks/migrationStatements.ts` finds them), as
 * judged by their author. Every other migration is additive: servers of both releases work with the schema.
 */
export const REVIEWED_MIGRATIONS: Readonly<Record<string, MigrationReview>> = {
  '0001_identity': { isExclusive: false, reason: 'shortens the life of tokens, which an earlier release obeys too' },
  '0004_standard_names': { isExclusive: true, reason: 'it renames tables and columns' },
  '0005_key_health': { isExclusive: true, reason: 'it changes what the column capabilities holds' },
  '0011_run_versions': { isExclusive: false, reason: 'fills a column that an earlier release does not know' },
  '0013_term_counts': { isExclusive: false, reason: 'its triggers count only passages of the later release' },
  '0017_run_origins_and_tags': { isExclusive: false, reason: 'fills columns that an earlier release does not know' },
  '0019_suites': {
    isExclusive: true,
    reason:
      'it moves question sets out of saved_items, and an earlier release would take over experiments that it cannot run',
  },
  '0020_frame_chunks': { isExclusive: true, reason: 'an earlier release does not read sealed frames' },
  '0023_body_pieces': { isExclusive: false, reason: 'an earlier release shows a call without a body of megabytes' },
  '0024_shorter_pending_list': { isExclusive: false, reason: 'a setting of an index that changes nothing of its use' },
  '0025_uncompressed_sources': { isExclusive: false, reason: 'a text is read alike, compressed or not' },
  '0028_kept_retention': {
    isExclusive: false,
    reason: 'an earlier release finds rows of deleted workspaces, and deletes their calls as they say',
  },
}
