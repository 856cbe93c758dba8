ALTER TABLE "people" ADD COLUMN "key_exposures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "keys" ADD COLUMN "exposed_at" timestamp (3) with time zone;