CREATE TABLE "paused_runs" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"frames" integer NOT NULL,
	"forms" json NOT NULL,
	"deadline" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"event" text NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"attempted_at" timestamp (3) with time zone,
	"delivered_at" timestamp (3) with time zone,
	"http_status" integer,
	"problem" text
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"origin" text NOT NULL,
	"sealed" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "paused_runs" ADD CONSTRAINT "paused_runs_run_id_calls_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."calls"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_events_due" ON "webhook_events" USING btree ("next_attempt_at");--> statement-breakpoint
CREATE INDEX "webhook_events_by_workspace" ON "webhook_events" USING btree ("workspace_id","created_at");--> statement-breakpoint
CREATE INDEX "calls_paused" ON "calls" USING btree ("created_at","id") WHERE status = 'paused';