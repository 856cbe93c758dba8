CREATE TABLE "kept_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"run_id" uuid NOT NULL,
	"url_hash" text NOT NULL,
	"url" text NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"bytes" integer NOT NULL,
	"data" "bytea" NOT NULL,
	"kept_at" timestamp (3) with time zone NOT NULL,
	"person_id" uuid
);
--> statement-breakpoint
ALTER TABLE "kept_files" ADD CONSTRAINT "kept_files_run_id_calls_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."calls"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "kept_files_by_url" ON "kept_files" USING btree ("run_id","url_hash");