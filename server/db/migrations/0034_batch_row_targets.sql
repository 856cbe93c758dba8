ALTER TABLE "batches" ALTER COLUMN "key_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "batches" ALTER COLUMN "entry" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "batch_rows" ADD COLUMN "key_id" uuid;--> statement-breakpoint
ALTER TABLE "batch_rows" ADD COLUMN "cell" text;--> statement-breakpoint
CREATE INDEX "batch_rows_by_key" ON "batch_rows" USING btree ("batch_id","key_id") WHERE key_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "batches_by_suite" ON "batches" USING btree ((settings ->> 'suite')) WHERE kind = 'sweep';