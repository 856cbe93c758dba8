ALTER TABLE "platform"."embeddings" ADD COLUMN "text_hash" uuid;--> statement-breakpoint
CREATE INDEX "embeddings_by_text" ON "platform"."embeddings" USING btree ("text_hash");