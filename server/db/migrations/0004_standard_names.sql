ALTER TABLE "links" RENAME TO "sign_in_links";--> statement-breakpoint
ALTER TABLE "flows" RENAME TO "oidc_flows";--> statement-breakpoint
ALTER TABLE "attempts" RENAME TO "login_attempts";--> statement-breakpoint
ALTER TABLE "sightings" RENAME TO "observed_parts";--> statement-breakpoint
ALTER TABLE "day_sums" RENAME TO "daily_rollups";--> statement-breakpoint
ALTER TABLE "kept" RENAME TO "saved_items";--> statement-breakpoint
ALTER TABLE "things" RENAME TO "resources";--> statement-breakpoint
ALTER TABLE "calls" RENAME COLUMN "words" TO "search_text";--> statement-breakpoint
ALTER TABLE "calls" RENAME COLUMN "touched" TO "resource_ids";--> statement-breakpoint
ALTER TABLE "keys" RENAME COLUMN "offers" TO "capabilities";--> statement-breakpoint
ALTER INDEX "attempts_by_age" RENAME TO "login_attempts_by_age";--> statement-breakpoint
ALTER INDEX "kept_by_place" RENAME TO "saved_items_by_resource";--> statement-breakpoint
ALTER INDEX "calls_by_words" RENAME TO "calls_by_search_text";--> statement-breakpoint
ALTER INDEX "calls_by_touched" RENAME TO "calls_by_resource_ids";--> statement-breakpoint
ALTER INDEX "calls_by_figures" RENAME TO "calls_by_stats";--> statement-breakpoint
ALTER INDEX "things_by_workspace" RENAME TO "resources_by_workspace";--> statement-breakpoint
ALTER INDEX "things_by_time" RENAME TO "resources_by_time";--> statement-breakpoint
ALTER INDEX "things_by_parent" RENAME TO "resources_by_parent";--> statement-breakpoint
ALTER INDEX "things_by_id" RENAME TO "resources_by_id";--> statement-breakpoint
ALTER INDEX "things_by_words" RENAME TO "resources_by_label";--> statement-breakpoint
-- Hand-written from here on: names of constraints, and the triggers that earlier versions created at every start.
DO $$
DECLARE renamed record;
BEGIN
  FOR renamed IN
    SELECT constraint_table.relname AS table_name, conname AS old_name,
           constraint_table.relname || substr(conname, length(names.old) + 1) AS new_name
    FROM pg_constraint JOIN pg_class AS constraint_table ON constraint_table.oid = conrelid
    JOIN (VALUES ('sign_in_links', 'links'), ('oidc_flows', 'flows'), ('login_attempts', 'attempts'),
                 ('observed_parts', 'sightings'), ('daily_rollups', 'day_sums'), ('saved_items', 'kept'),
                 ('resources', 'things')) AS names(new, old) ON names.new = constraint_table.relname
    WHERE constraint_table.relnamespace = 'public'::regnamespace AND starts_with(conname, names.old || '_') AND contype IN ('p', 'f')
  LOOP
    EXECUTE format('ALTER TABLE %I RENAME CONSTRAINT %I TO %I', renamed.table_name, renamed.old_name, renamed.new_name);
  END LOOP;
END $$;
--> statement-breakpoint
ALTER TABLE "daily_rollups" ADD COLUMN "measures_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
DROP TRIGGER IF EXISTS day_is_other ON "calls";--> statement-breakpoint
DROP TRIGGER IF EXISTS day_has_more ON "calls";--> statement-breakpoint
DROP TRIGGER IF EXISTS day_has_less ON "calls";--> statement-breakpoint
DROP FUNCTION IF EXISTS forget_day();--> statement-breakpoint
-- Deletes the rollup of a day when one of its runs is added, changed or removed late. The advisory lock is
-- ADVISORY_LOCKS.dailyRollups: a rollup that is being computed meanwhile is stored before this delete, or includes the change.
CREATE FUNCTION delete_daily_rollup() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE began timestamptz := CASE TG_OP WHEN 'DELETE' THEN OLD.created_at ELSE NEW.created_at END;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7308338);
  DELETE FROM daily_rollups WHERE begins <= began AND ends > began;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER rollup_stale_on_insert AFTER INSERT ON "calls" FOR EACH ROW
  WHEN (NEW.created_at < now() - interval '2 hours' AND NEW.entry IN ('chat.send', 'completion.send', 'workflows.run'))
  EXECUTE FUNCTION delete_daily_rollup();--> statement-breakpoint
CREATE TRIGGER rollup_stale_on_delete AFTER DELETE ON "calls" FOR EACH ROW
  WHEN (OLD.created_at < now() - interval '2 hours' AND OLD.entry IN ('chat.send', 'completion.send', 'workflows.run'))
  EXECUTE FUNCTION delete_daily_rollup();--> statement-breakpoint
CREATE TRIGGER rollup_stale_on_update
  AFTER UPDATE OF status, duration_ms, first_token_ms, total_tokens, total_price, currency ON "calls" FOR EACH ROW
  WHEN (NEW.created_at < now() - interval '2 hours' AND NEW.entry IN ('chat.send', 'completion.send', 'workflows.run')
    AND (OLD.status, OLD.duration_ms, OLD.first_token_ms, OLD.total_tokens, OLD.total_price, OLD.currency)
      IS DISTINCT FROM (NEW.status, NEW.duration_ms, NEW.first_token_ms, NEW.total_tokens, NEW.total_price, NEW.currency))
  EXECUTE FUNCTION delete_daily_rollup();--> statement-breakpoint
DROP TRIGGER IF EXISTS audit_stays ON "audit";--> statement-breakpoint
DROP FUNCTION IF EXISTS audit_stays();--> statement-breakpoint
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The audit log is append-only.';
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
