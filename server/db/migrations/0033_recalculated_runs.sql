CREATE TABLE "run_recalculations" (
	"version" integer PRIMARY KEY NOT NULL,
	"server_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"call_id" uuid NOT NULL,
	"is_done" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "earlier_status" text;