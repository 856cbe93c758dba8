CREATE TABLE "platform"."conversation_variables" (
	"id" uuid PRIMARY KEY NOT NULL,
	"conversation_id" uuid NOT NULL,
	"name" text NOT NULL,
	"value_type" text NOT NULL,
	"description" text NOT NULL,
	"value" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "platform"."human_input_forms" (
	"id" uuid PRIMARY KEY NOT NULL,
	"app" text NOT NULL,
	"workflow_run_id" uuid NOT NULL,
	"token" text NOT NULL,
	"node_id" text NOT NULL,
	"node_title" text NOT NULL,
	"form_content" text NOT NULL,
	"inputs" jsonb NOT NULL,
	"actions" jsonb NOT NULL,
	"resolved_default_values" jsonb NOT NULL,
	"status" text NOT NULL,
	"action" text,
	"values" jsonb,
	"submitted_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "platform"."messages" ADD COLUMN "workflow_run_id" uuid;--> statement-breakpoint
ALTER TABLE "platform"."workflow_runs" ADD COLUMN "state" jsonb;--> statement-breakpoint
ALTER TABLE "platform"."workflow_runs" ADD COLUMN "resumed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "platform"."conversation_variables" ADD CONSTRAINT "conversation_variables_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "platform"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "platform"."human_input_forms" ADD CONSTRAINT "human_input_forms_workflow_run_id_workflow_runs_id_fk" FOREIGN KEY ("workflow_run_id") REFERENCES "platform"."workflow_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "conversation_variables_by_name" ON "platform"."conversation_variables" USING btree ("conversation_id","name");--> statement-breakpoint
CREATE UNIQUE INDEX "human_input_forms_by_token" ON "platform"."human_input_forms" USING btree ("token");--> statement-breakpoint
CREATE INDEX "human_input_forms_by_run" ON "platform"."human_input_forms" USING btree ("workflow_run_id","created_at");--> statement-breakpoint
CREATE INDEX "human_input_forms_waiting" ON "platform"."human_input_forms" USING btree ("expires_at") WHERE status = 'waiting';--> statement-breakpoint
CREATE INDEX "messages_by_run" ON "platform"."messages" USING btree ("workflow_run_id") WHERE workflow_run_id IS NOT NULL;