CREATE TABLE "applied_migrations" (
	"created_at" bigint PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"is_exclusive" boolean NOT NULL
);
--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "state" text DEFAULT 'ready' NOT NULL;--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "started_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "version" text;--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "hostname" text;--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "address" text;--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "active_runs" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "open_streams" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "event_loop_delay_ms" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "master_keys" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "settings" json;