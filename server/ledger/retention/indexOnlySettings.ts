/** The embedded database keeps no statistics: without these settings the planner would sort a workspace for each step. */
export const INDEX_ONLY_SETTINGS =
  'SET LOCAL jit = off; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off'
