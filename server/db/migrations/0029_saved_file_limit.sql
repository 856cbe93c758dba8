ALTER TABLE "retention" ADD COLUMN "keep_file_megabytes" integer DEFAULT 2147 NOT NULL;--> statement-breakpoint
ALTER TABLE "retention" ADD COLUMN "frame_bytes" bigint;--> statement-breakpoint
ALTER TABLE "retention" ADD COLUMN "file_bytes" bigint;