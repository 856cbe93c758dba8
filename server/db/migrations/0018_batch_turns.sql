ALTER TABLE "batch_rows" ADD COLUMN "file_row" integer;--> statement-breakpoint
ALTER TABLE "batch_rows" ADD COLUMN "turn_run_ids" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "batch_rows" ADD COLUMN "conversation_id" text;--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "source" json;