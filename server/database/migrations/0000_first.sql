CREATE TABLE "links" (
	"token" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "people" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"default_user" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "people_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"token" text PRIMARY KEY NOT NULL,
	"person_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "calls" (
	"id" uuid PRIMARY KEY NOT NULL,
	"entry" text NOT NULL,
	"status" text NOT NULL,
	"person_id" uuid,
	"workspace_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"params" json,
	"request" json,
	"request_hash" text,
	"response_mode" text,
	"title" text DEFAULT '' NOT NULL,
	"end_user" text,
	"parent_id" uuid,
	"conversation_id" text,
	"message_id" text,
	"task_id" text,
	"workflow_run_id" text,
	"http_status" integer,
	"reply" json,
	"answer" json,
	"problem" json,
	"frames" integer DEFAULT 0 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"first_frame_ms" integer,
	"first_token_ms" integer,
	"duration_ms" integer,
	"total_tokens" integer,
	"total_price" text,
	"currency" text,
	"server_id" uuid
);
--> statement-breakpoint
CREATE TABLE "frames" (
	"call_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"at" integer NOT NULL,
	"bytes" integer NOT NULL,
	"block" text NOT NULL,
	CONSTRAINT "frames_call_id_seq_pk" PRIMARY KEY("call_id","seq")
);
--> statement-breakpoint
CREATE TABLE "servers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "things" (
	"workspace_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"id" text NOT NULL,
	"label" text,
	"parent" text,
	"payload" json,
	"first_seen" timestamp (3) with time zone NOT NULL,
	"last_seen" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "things_workspace_id_kind_id_pk" PRIMARY KEY("workspace_id","kind","id")
);
--> statement-breakpoint
CREATE TABLE "keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"label" text NOT NULL,
	"hint" text,
	"sealed" text,
	"sealed_with" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"last_ok_at" timestamp (3) with time zone,
	"last_problem" json,
	"last_problem_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "workspaces" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"base_url" text NOT NULL,
	"builtin" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "keys" ADD CONSTRAINT "keys_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sessions_by_person" ON "sessions" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "calls_by_time" ON "calls" USING btree ("created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "calls_by_workspace" ON "calls" USING btree ("workspace_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "calls_by_conversation" ON "calls" USING btree ("conversation_id","created_at");--> statement-breakpoint
CREATE INDEX "calls_live" ON "calls" USING btree ("server_id") WHERE status IN ('created', 'dispatched', 'streaming');--> statement-breakpoint
CREATE INDEX "calls_by_words" ON "calls" USING gin (title gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "things_by_time" ON "things" USING btree ("workspace_id","kind","last_seen" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "things_by_parent" ON "things" USING btree ("workspace_id","kind","parent","last_seen" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "things_by_id" ON "things" USING btree ("id");--> statement-breakpoint
CREATE INDEX "things_by_words" ON "things" USING gin (label gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "keys_by_workspace" ON "keys" USING btree ("workspace_id");