CREATE TABLE "audit_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "key_id" text;