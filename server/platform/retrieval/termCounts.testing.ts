import type { Pool } from 'pg'

/** The terms and totals whose stored count is not that of the passages; empty if all are right. */
export async function findMiscountedTerms(pool: Pool): Promise<unknown[]> {
  const { rows } = await pool.query(
    `SELECT dataset_id, term, c.passages AS stored, t.passages AS counted
       FROM platform.term_counts c FULL JOIN (
         SELECT dataset_id, term, count(*) AS passages
           FROM (SELECT DISTINCT id, dataset_id, unnest(terms) AS term FROM platform.passages WHERE terms_version > 0) AS terms
          GROUP BY dataset_id, term) t USING (dataset_id, term)
      WHERE c.passages IS DISTINCT FROM t.passages
      UNION ALL
     SELECT dataset_id, NULL, c.passages, t.passages
       FROM platform.passage_totals c FULL JOIN (
         SELECT dataset_id, count(*) AS passages, sum(length) AS length FROM platform.passages
          WHERE terms_version > 0 GROUP BY dataset_id) t USING (dataset_id)
      WHERE coalesce(c.passages, 0) <> coalesce(t.passages, 0) OR coalesce(c.length, 0) <> coalesce(t.length, 0)`,
  )
  return rows
}
