ALTER TABLE "calls" ADD COLUMN "workflow_id" text;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "pinned_workflow_id" text;--> statement-breakpoint
CREATE INDEX "calls_by_version" ON "calls" USING btree ("key_id","workflow_id","created_at","status") WHERE workflow_id IS NOT NULL;--> statement-breakpoint
-- By its text: JSON functions refuse documents with `\u0000`. The two ids stand side by side in every folded answer.
UPDATE "calls" SET "workflow_id" = substring("answer"::text FROM '"workflow_run_id":(?:null|"[^"\\]*"),"workflow_id":"([^"\\]{1,255})"')
WHERE "entry" IN ('workflows.run', 'chat.send') AND "answer"::text ~ '"workflow_run_id":(?:null|"[^"\\]*"),"workflow_id":"[^"\\]{1,255}"';
