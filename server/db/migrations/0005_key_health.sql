ALTER TABLE "calls" ADD COLUMN "platform_version" text;--> statement-breakpoint
ALTER TABLE "keys" ADD COLUMN "mode" text;--> statement-breakpoint
ALTER TABLE "keys" ADD COLUMN "kind_confirmed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "keys" ADD COLUMN "health" text DEFAULT 'untested' NOT NULL;--> statement-breakpoint
ALTER TABLE "keys" ADD COLUMN "health_since" timestamp (3) with time zone;--> statement-breakpoint
-- Hand-written from here on: a capability was a boolean, and the health was read from the last error.
UPDATE keys SET capabilities = COALESCE((
  SELECT jsonb_object_agg(name, jsonb_build_object('state', CASE WHEN found = 'true'::jsonb THEN 'offered' ELSE 'missing' END,
    'message', NULL, 'status', NULL, 'assumed_from', NULL, 'version', NULL))
  FROM jsonb_each(capabilities) AS known(name, found)), '{}'::jsonb);--> statement-breakpoint
UPDATE keys SET health = CASE WHEN last_problem IS NOT NULL THEN 'refused' WHEN last_ok_at IS NOT NULL THEN 'healthy' ELSE 'untested' END,
  health_since = CASE WHEN last_problem IS NOT NULL THEN last_problem_at ELSE last_ok_at END;
