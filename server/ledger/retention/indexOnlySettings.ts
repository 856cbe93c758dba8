/** The embedded database keeps no statistics, without which the planner would sort a whole workspace for each step. */
export const INDEX_ONLY_SETTINGS =
  'SET LOCAL jit = off; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off'
