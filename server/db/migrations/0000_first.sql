CREATE SCHEMA "platform";
--> statement-breakpoint
CREATE TABLE "access_tokens" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"person_id" uuid NOT NULL,
	"name" text NOT NULL,
	"hint" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "access_tokens_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "attempts" (
	"about" text PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"locked_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "audit" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"action" text NOT NULL,
	"person_id" uuid,
	"person" text,
	"workspace_id" uuid,
	"about" text,
	"label" text,
	"detail" json,
	"address" text,
	"previous" text NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "flows" (
	"state" text PRIMARY KEY NOT NULL,
	"verifier" text NOT NULL,
	"nonce" text NOT NULL,
	"next" text,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "grants" (
	"id" uuid PRIMARY KEY NOT NULL,
	"person_id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"key_id" uuid
);
--> statement-breakpoint
CREATE TABLE "identities" (
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"person_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "identities_issuer_subject_pk" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
CREATE TABLE "links" (
	"token" text PRIMARY KEY NOT NULL,
	"person_id" uuid,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "people" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"default_user" text NOT NULL,
	"password" text,
	"narrowed" boolean DEFAULT false NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "people_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"token" text PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"via" text NOT NULL,
	"address" text,
	"agent" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "batch_rows" (
	"batch_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"state" text NOT NULL,
	"input" json NOT NULL,
	"title" text DEFAULT '' NOT NULL,
	"run_id" uuid,
	"parent_id" uuid,
	"attempts" integer DEFAULT 0 NOT NULL,
	"problem" json,
	"result" json,
	"began_at" timestamp (3) with time zone,
	"duration_ms" integer,
	"tokens" integer,
	"price" text,
	"currency" text,
	CONSTRAINT "batch_rows_batch_id_number_pk" PRIMARY KEY("batch_id","number")
);
--> statement-breakpoint
CREATE TABLE "batches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"pause" text,
	"problem" json,
	"waits_until" timestamp (3) with time zone,
	"workspace_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"entry" text NOT NULL,
	"name" text NOT NULL,
	"settings" json NOT NULL,
	"at_once" integer NOT NULL,
	"per_minute" integer,
	"max_rows" integer,
	"max_tokens" integer,
	"stop_at" integer,
	"total" integer NOT NULL,
	"person_id" uuid,
	"server_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"began_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "drifts" (
	"workspace_id" uuid NOT NULL,
	"id" text NOT NULL,
	"operation" text NOT NULL,
	"kind" text NOT NULL,
	"event" text,
	"path" text NOT NULL,
	"value" text,
	"sample" json,
	"count" bigint NOT NULL,
	"call_id" uuid,
	"first_seen" timestamp (3) with time zone NOT NULL,
	"last_seen" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "drifts_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "sightings" (
	"workspace_id" uuid NOT NULL,
	"operation" text NOT NULL,
	"places" text[] NOT NULL,
	"first_seen" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sightings_workspace_id_operation_pk" PRIMARY KEY("workspace_id","operation")
);
--> statement-breakpoint
CREATE TABLE "day_sums" (
	"begins" timestamp (3) with time zone NOT NULL,
	"ends" timestamp (3) with time zone NOT NULL,
	"groups" json NOT NULL,
	CONSTRAINT "day_sums_begins_ends_pk" PRIMARY KEY("begins","ends")
);
--> statement-breakpoint
CREATE TABLE "kept" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"workspace_id" uuid NOT NULL,
	"about" text,
	"name" text NOT NULL,
	"value" json,
	"person_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
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
	"note" text,
	"touched" text[],
	"words" text DEFAULT '' NOT NULL,
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
	"raw" "bytea",
	CONSTRAINT "frames_call_id_seq_pk" PRIMARY KEY("call_id","seq")
);
--> statement-breakpoint
CREATE TABLE "retention" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"keep_days" integer,
	"keep_megabytes" integer,
	"purge_before" timestamp (3) with time zone,
	"removed" bigint DEFAULT 0 NOT NULL,
	"removed_at" timestamp (3) with time zone,
	"counted_at" timestamp (3) with time zone,
	"calls" bigint,
	"bytes" bigint,
	"oldest" timestamp (3) with time zone
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
CREATE TABLE "platform"."child_chunks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"segment_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"content" text NOT NULL,
	"type" text NOT NULL,
	"word_count" integer NOT NULL,
	"tokens" integer NOT NULL,
	"index_node_id" uuid NOT NULL,
	"index_node_hash" text NOT NULL,
	"status" text NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"indexing_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone,
	"error" text,
	"stopped_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "platform"."datasets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"provider" text NOT NULL,
	"permission" text NOT NULL,
	"indexing_technique" text,
	"embedding_model" text,
	"embedding_model_provider" text,
	"retrieval_model" jsonb NOT NULL,
	"external_knowledge_api_id" text,
	"external_knowledge_id" text,
	"partial_members" text[] NOT NULL,
	"doc_form" text,
	"process_rule_id" uuid,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_by" uuid NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"changed" integer DEFAULT 0 NOT NULL,
	"embedding_pending" boolean DEFAULT false NOT NULL,
	"removed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "platform"."documents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"dataset_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"source_id" uuid NOT NULL,
	"process_rule_id" uuid NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"doc_form" text NOT NULL,
	"doc_language" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"disabled_by" uuid,
	"archived" boolean DEFAULT false NOT NULL,
	"tokens" integer,
	"word_count" integer,
	"hit_count" integer DEFAULT 0 NOT NULL,
	"batch" text NOT NULL,
	"indexing_status" text NOT NULL,
	"error" text,
	"total_segments" integer,
	"passages" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"run" uuid,
	"lease_until" timestamp (3) with time zone,
	"queued_at" timestamp (3) with time zone NOT NULL,
	"processing_started_at" timestamp (3) with time zone,
	"parsing_completed_at" timestamp (3) with time zone,
	"cleaning_completed_at" timestamp (3) with time zone,
	"splitting_completed_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	"stopped_at" timestamp (3) with time zone,
	"indexing_latency" double precision,
	"removed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "platform"."embeddings" (
	"passage_id" uuid PRIMARY KEY NOT NULL,
	"dataset_id" uuid NOT NULL,
	"model" text NOT NULL,
	"vector" real[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "platform"."hits" (
	"segment_id" uuid PRIMARY KEY NOT NULL,
	"hit_count" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "platform"."passages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"dataset_id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	"segment_id" uuid NOT NULL,
	"child_chunk_id" uuid,
	"terms" integer[] NOT NULL,
	"length" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "platform"."process_rules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"dataset_id" uuid NOT NULL,
	"mode" text NOT NULL,
	"rules" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "platform"."seeds" (
	"name" text PRIMARY KEY NOT NULL,
	"dataset_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "platform"."segments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"document_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"content" text NOT NULL,
	"answer" text,
	"keywords" text[] NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"disabled_by" uuid,
	"word_count" integer NOT NULL,
	"tokens" integer NOT NULL,
	"index_node_id" uuid NOT NULL,
	"index_node_hash" text NOT NULL,
	"status" text NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"indexing_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone,
	"error" text,
	"stopped_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "platform"."sources" (
	"id" uuid PRIMARY KEY NOT NULL,
	"document_id" uuid NOT NULL,
	"text" text NOT NULL,
	"name" text NOT NULL,
	"size" integer NOT NULL,
	"extension" text NOT NULL,
	"mime_type" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"label" text NOT NULL,
	"hint" text,
	"sealed" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"last_ok_at" timestamp (3) with time zone,
	"last_problem" json,
	"last_problem_at" timestamp (3) with time zone,
	"latency_ms" integer,
	"offers" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workspaces" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"base_url" text NOT NULL,
	"builtin" boolean DEFAULT false NOT NULL,
	"chosen" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"found" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "platform"."annotation_jobs" (
	"app" text NOT NULL,
	"id" uuid NOT NULL,
	"action" text NOT NULL,
	"status" text NOT NULL,
	"error_msg" text DEFAULT '' NOT NULL,
	"score_threshold" double precision NOT NULL,
	"embedding_provider_name" text,
	"embedding_model_name" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "annotation_jobs_app_id_pk" PRIMARY KEY("app","id")
);
--> statement-breakpoint
CREATE TABLE "platform"."annotation_replies" (
	"app" text PRIMARY KEY NOT NULL,
	"enabled" boolean NOT NULL,
	"score_threshold" double precision NOT NULL,
	"embedding_provider_name" text,
	"embedding_model_name" text,
	"revision" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "platform"."annotations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"app" text NOT NULL,
	"question" text NOT NULL,
	"answer" text NOT NULL,
	"hit_count" integer DEFAULT 0 NOT NULL,
	"vector" real[],
	"vector_model" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "platform"."conversations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"app" text NOT NULL,
	"end_user" text NOT NULL,
	"name" text NOT NULL,
	"inputs" jsonb NOT NULL,
	"introduction" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "platform"."files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"app" text NOT NULL,
	"end_user" text NOT NULL,
	"name" text NOT NULL,
	"extension" text NOT NULL,
	"mime_type" text NOT NULL,
	"size" integer NOT NULL,
	"text" text,
	"image" "bytea",
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "platform"."messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"app" text NOT NULL,
	"conversation_id" uuid,
	"parent_message_id" uuid,
	"task_id" uuid NOT NULL,
	"end_user" text NOT NULL,
	"query" text NOT NULL,
	"inputs" jsonb NOT NULL,
	"files" jsonb NOT NULL,
	"answer" text DEFAULT '' NOT NULL,
	"status" text NOT NULL,
	"error" text,
	"metadata" jsonb,
	"feedback" text,
	"feedback_content" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "platform"."workflow_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"app" text NOT NULL,
	"workflow_id" uuid NOT NULL,
	"version" text NOT NULL,
	"task_id" uuid NOT NULL,
	"end_user" text NOT NULL,
	"inputs" jsonb NOT NULL,
	"outputs" jsonb,
	"status" text NOT NULL,
	"error" text,
	"total_steps" integer DEFAULT 0 NOT NULL,
	"total_tokens" integer DEFAULT 0 NOT NULL,
	"elapsed_time" double precision,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_key_id_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "links" ADD CONSTRAINT "links_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_rows" ADD CONSTRAINT "batch_rows_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drifts" ADD CONSTRAINT "drifts_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sightings" ADD CONSTRAINT "sightings_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "retention" ADD CONSTRAINT "retention_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "platform"."child_chunks" ADD CONSTRAINT "child_chunks_segment_id_segments_id_fk" FOREIGN KEY ("segment_id") REFERENCES "platform"."segments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "platform"."documents" ADD CONSTRAINT "documents_dataset_id_datasets_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "platform"."datasets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "platform"."embeddings" ADD CONSTRAINT "embeddings_passage_id_passages_id_fk" FOREIGN KEY ("passage_id") REFERENCES "platform"."passages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "platform"."passages" ADD CONSTRAINT "passages_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "platform"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "platform"."process_rules" ADD CONSTRAINT "process_rules_dataset_id_datasets_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "platform"."datasets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "platform"."segments" ADD CONSTRAINT "segments_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "platform"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "platform"."sources" ADD CONSTRAINT "sources_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "platform"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "keys" ADD CONSTRAINT "keys_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "platform"."messages" ADD CONSTRAINT "messages_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "platform"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "access_tokens_by_person" ON "access_tokens" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "audit_by_person" ON "audit" USING btree ("person_id","seq");--> statement-breakpoint
CREATE INDEX "audit_by_action" ON "audit" USING btree ("action","seq");--> statement-breakpoint
CREATE INDEX "grants_by_person" ON "grants" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "identities_by_person" ON "identities" USING btree ("person_id");--> statement-breakpoint
CREATE UNIQUE INDEX "people_by_name" ON "people" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "sessions_by_person" ON "sessions" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "batch_rows_by_state" ON "batch_rows" USING btree ("batch_id","state","number");--> statement-breakpoint
CREATE INDEX "batches_by_workspace" ON "batches" USING btree ("workspace_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "batches_by_state" ON "batches" USING btree ("state");--> statement-breakpoint
CREATE INDEX "drifts_by_operation" ON "drifts" USING btree ("workspace_id","operation");--> statement-breakpoint
CREATE INDEX "drifts_by_time" ON "drifts" USING btree ("workspace_id","last_seen");--> statement-breakpoint
CREATE INDEX "kept_by_place" ON "kept" USING btree ("workspace_id","kind","about","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "calls_by_time" ON "calls" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "calls_by_workspace" ON "calls" USING btree ("workspace_id","created_at","id");--> statement-breakpoint
CREATE INDEX "calls_by_key" ON "calls" USING btree ("key_id","created_at","id");--> statement-breakpoint
CREATE INDEX "calls_by_entry" ON "calls" USING btree ("workspace_id","entry","created_at","id");--> statement-breakpoint
CREATE INDEX "calls_by_status" ON "calls" USING btree ("workspace_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "calls_by_person" ON "calls" USING btree ("workspace_id","person_id","created_at","id");--> statement-breakpoint
CREATE INDEX "calls_by_conversation" ON "calls" USING btree ("conversation_id","created_at");--> statement-breakpoint
CREATE INDEX "calls_by_figures" ON "calls" USING btree ("created_at","workspace_id","key_id","status","duration_ms","first_token_ms","total_tokens","total_price","currency") WHERE entry IN ('chat.send', 'completion.send', 'workflows.run');--> statement-breakpoint
CREATE INDEX "calls_live" ON "calls" USING btree ("server_id") WHERE status IN ('created', 'dispatched', 'streaming');--> statement-breakpoint
CREATE INDEX "calls_by_touched" ON "calls" USING gin ("touched");--> statement-breakpoint
CREATE INDEX "calls_by_parent" ON "calls" USING btree ("parent_id") WHERE parent_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "calls_by_words" ON "calls" USING gin (words gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "things_by_workspace" ON "things" USING btree ("workspace_id","last_seen","id");--> statement-breakpoint
CREATE INDEX "things_by_time" ON "things" USING btree ("workspace_id","kind","last_seen","id");--> statement-breakpoint
CREATE INDEX "things_by_parent" ON "things" USING btree ("workspace_id","kind","parent","last_seen","id");--> statement-breakpoint
CREATE INDEX "things_by_id" ON "things" USING btree ("id" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "things_by_words" ON "things" USING gin (label gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "child_chunks_by_segment" ON "platform"."child_chunks" USING btree ("segment_id","position");--> statement-breakpoint
CREATE UNIQUE INDEX "datasets_by_name" ON "platform"."datasets" USING btree ("name") WHERE "platform"."datasets"."removed_at" IS NULL;--> statement-breakpoint
CREATE INDEX "datasets_by_age" ON "platform"."datasets" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "documents_by_dataset" ON "platform"."documents" USING btree ("dataset_id","created_at","position");--> statement-breakpoint
CREATE INDEX "documents_by_batch" ON "platform"."documents" USING btree ("batch");--> statement-breakpoint
CREATE INDEX "documents_to_index" ON "platform"."documents" USING btree ("queued_at") WHERE "platform"."documents"."indexing_status" NOT IN ('completed', 'error');--> statement-breakpoint
CREATE INDEX "documents_removed" ON "platform"."documents" USING btree ("removed_at") WHERE "platform"."documents"."removed_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "passages_by_terms" ON "platform"."passages" USING gin ("terms") WITH (gin_pending_list_limit=2048);--> statement-breakpoint
CREATE INDEX "passages_by_dataset" ON "platform"."passages" USING btree ("dataset_id","id");--> statement-breakpoint
CREATE INDEX "passages_by_document" ON "platform"."passages" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "passages_by_segment" ON "platform"."passages" USING btree ("segment_id");--> statement-breakpoint
CREATE INDEX "segments_by_document" ON "platform"."segments" USING btree ("document_id","position");--> statement-breakpoint
CREATE INDEX "sources_by_document" ON "platform"."sources" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "keys_by_workspace" ON "keys" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "annotations_by_time" ON "platform"."annotations" USING btree ("app","created_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "conversations_by_update" ON "platform"."conversations" USING btree ("app","end_user","updated_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "conversations_by_creation" ON "platform"."conversations" USING btree ("app","end_user","created_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "files_by_user" ON "platform"."files" USING btree ("app","end_user","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "messages_by_conversation" ON "platform"."messages" USING btree ("conversation_id","created_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "messages_running" ON "platform"."messages" USING btree ("id") WHERE status = 'running';--> statement-breakpoint
CREATE INDEX "workflow_runs_by_time" ON "platform"."workflow_runs" USING btree ("app","created_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "workflow_runs_running" ON "platform"."workflow_runs" USING btree ("id") WHERE status = 'running';