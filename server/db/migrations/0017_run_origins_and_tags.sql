ALTER TABLE "calls" ADD COLUMN "origin" text;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "origin_id" text;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "tags" text[];--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "run_note" text;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "error_message" text;--> statement-breakpoint
CREATE INDEX "calls_by_origin" ON "calls" USING btree ("workspace_id","origin","created_at","id") WHERE origin IS NOT NULL;--> statement-breakpoint
CREATE INDEX "calls_by_tags" ON "calls" USING gin ("tags") WHERE tags IS NOT NULL;--> statement-breakpoint
CREATE INDEX "calls_tagged" ON "calls" USING btree ("workspace_id","created_at") WHERE tags IS NOT NULL;--> statement-breakpoint
UPDATE "calls" SET "origin" = 'batch', "origin_id" = "batch_rows"."batch_id"::text,
  "resource_ids" = coalesce("resource_ids", '{}') || "batch_rows"."batch_id"::text FROM "batch_rows"
WHERE "batch_rows"."run_id" = "calls"."id" AND "calls"."entry" IN ('chat.send', 'completion.send', 'workflows.run');--> statement-breakpoint
-- By its text: JSON functions refuse documents with `\u0000`. A message is taken up to its first escaped character.
UPDATE "calls" SET "error_message" = left(substring("problem"::text FROM '"message":"([^"\\]+)'), 300) WHERE "problem" IS NOT NULL;
