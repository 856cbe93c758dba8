CREATE TABLE "platform"."passage_totals" (
	"dataset_id" uuid PRIMARY KEY NOT NULL,
	"passages" integer NOT NULL,
	"length" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "platform"."term_counts" (
	"dataset_id" uuid NOT NULL,
	"term" integer NOT NULL,
	"passages" integer NOT NULL,
	CONSTRAINT "term_counts_pkey" PRIMARY KEY("dataset_id","term")
);
--> statement-breakpoint
ALTER TABLE "platform"."datasets" ADD COLUMN "terms_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "platform"."passages" ADD COLUMN "terms_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "platform"."term_counts" SET (fillfactor = 60);
--> statement-breakpoint
ALTER TABLE "platform"."passage_totals" SET (fillfactor = 20);
--> statement-breakpoint
CREATE FUNCTION "platform"."count_terms"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The row of the totals is locked before those of the terms, so that two writers of a dataset cannot deadlock.
  IF TG_OP <> 'INSERT' THEN
    UPDATE platform.passage_totals t SET passages = t.passages - r.passages, length = t.length - r.length
      FROM (SELECT dataset_id, count(*)::int4 AS passages, sum(length) AS length FROM removed
             WHERE terms_version > 0 GROUP BY dataset_id) r
     WHERE t.dataset_id = r.dataset_id;
    WITH r AS (
      SELECT dataset_id, term, count(*)::int4 AS passages
        FROM (SELECT DISTINCT id, dataset_id, unnest(terms) AS term FROM removed WHERE terms_version > 0) AS terms
       GROUP BY dataset_id, term
    ), last AS (
      DELETE FROM platform.term_counts c USING r
       WHERE c.dataset_id = r.dataset_id AND c.term = r.term AND c.passages <= r.passages
    )
    UPDATE platform.term_counts c SET passages = c.passages - r.passages FROM r
     WHERE c.dataset_id = r.dataset_id AND c.term = r.term AND c.passages > r.passages;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO platform.passage_totals AS t (dataset_id, passages, length)
    SELECT dataset_id, count(*), sum(length) FROM added WHERE terms_version > 0 GROUP BY dataset_id ORDER BY dataset_id
    ON CONFLICT (dataset_id) DO UPDATE SET passages = t.passages + excluded.passages, length = t.length + excluded.length;
    INSERT INTO platform.term_counts AS c (dataset_id, term, passages)
    SELECT dataset_id, term, count(*)
      FROM (SELECT DISTINCT id, dataset_id, unnest(terms) AS term FROM added WHERE terms_version > 0) AS terms
     GROUP BY dataset_id, term
    ON CONFLICT (dataset_id, term) DO UPDATE SET passages = c.passages + excluded.passages;
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "passages_inserted" AFTER INSERT ON "platform"."passages"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "platform"."count_terms"();
--> statement-breakpoint
CREATE TRIGGER "passages_updated" AFTER UPDATE ON "platform"."passages"
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "platform"."count_terms"();
--> statement-breakpoint
CREATE TRIGGER "passages_deleted" AFTER DELETE ON "platform"."passages"
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "platform"."count_terms"();
