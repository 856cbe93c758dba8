ALTER TABLE "platform"."documents" ADD COLUMN "losses" jsonb;--> statement-breakpoint
ALTER TABLE "platform"."sources" ADD COLUMN "encoding" text;--> statement-breakpoint
ALTER TABLE "platform"."sources" ADD COLUMN "losses" jsonb;