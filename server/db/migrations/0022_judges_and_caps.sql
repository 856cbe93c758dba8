ALTER TABLE "batches" ADD COLUMN "max_price" double precision;--> statement-breakpoint
ALTER TABLE "experiments" ADD COLUMN "judge_keys" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "experiments" ADD COLUMN "fingerprint" json;