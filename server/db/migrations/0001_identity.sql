CREATE TABLE "settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "batches" ADD COLUMN "started_by" uuid;--> statement-breakpoint
CREATE INDEX "attempts_by_age" ON "attempts" USING btree ("first_at");--> statement-breakpoint
-- Hand-written from here on.
-- The admin whom earlier versions created for the server's link: nobody invited them, no provider or proxy brought them.
INSERT INTO "settings" ("name", "value")
SELECT 'setup_admin', people.id::text FROM people
WHERE role = 'admin' AND disabled_at IS NULL AND password IS NULL
  AND NOT EXISTS (SELECT FROM identities WHERE person_id = people.id)
  AND NOT EXISTS (SELECT FROM audit WHERE about = people.id::text AND action IN ('person.invited', 'person.joined'))
ORDER BY created_at, id LIMIT 1;
--> statement-breakpoint
-- Tokens of people who sign in at a provider or through a proxy live at most 30 days.
UPDATE "access_tokens" SET "expires_at" = LEAST("expires_at", now() + interval '30 days')
WHERE "person_id" IN (SELECT "person_id" FROM "identities");
