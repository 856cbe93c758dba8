CREATE TABLE "platform"."dataset_tags" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "dataset_tags_by_name" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "platform"."metadata_fields" (
	"id" uuid PRIMARY KEY NOT NULL,
	"dataset_id" uuid NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "platform"."metadata_values" (
	"document_id" uuid NOT NULL,
	"field_id" uuid NOT NULL,
	"value" jsonb,
	CONSTRAINT "metadata_values_pkey" PRIMARY KEY("document_id","field_id")
);
--> statement-breakpoint
CREATE TABLE "platform"."tag_bindings" (
	"dataset_id" uuid NOT NULL,
	"tag_id" uuid NOT NULL,
	CONSTRAINT "tag_bindings_pkey" PRIMARY KEY("dataset_id","tag_id")
);
--> statement-breakpoint
ALTER TABLE "platform"."datasets" ADD COLUMN "built_in_field_enabled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "platform"."sources" ADD COLUMN "bytes" "bytea";--> statement-breakpoint
ALTER TABLE "platform"."metadata_fields" ADD CONSTRAINT "metadata_fields_dataset_id_datasets_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "platform"."datasets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "platform"."metadata_values" ADD CONSTRAINT "metadata_values_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "platform"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "platform"."metadata_values" ADD CONSTRAINT "metadata_values_field_id_metadata_fields_id_fk" FOREIGN KEY ("field_id") REFERENCES "platform"."metadata_fields"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "platform"."tag_bindings" ADD CONSTRAINT "tag_bindings_dataset_id_datasets_id_fk" FOREIGN KEY ("dataset_id") REFERENCES "platform"."datasets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "platform"."tag_bindings" ADD CONSTRAINT "tag_bindings_tag_id_dataset_tags_id_fk" FOREIGN KEY ("tag_id") REFERENCES "platform"."dataset_tags"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "metadata_fields_by_name" ON "platform"."metadata_fields" USING btree ("dataset_id","name");--> statement-breakpoint
CREATE INDEX "metadata_values_by_field" ON "platform"."metadata_values" USING btree ("field_id");--> statement-breakpoint
CREATE INDEX "tag_bindings_by_tag" ON "platform"."tag_bindings" USING btree ("tag_id");