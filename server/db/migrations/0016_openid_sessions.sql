CREATE TABLE "ended_sessions" (
	"token" text PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"ended_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oidc_logout_tokens" (
	"id" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oidc_sessions" (
	"token" text PRIMARY KEY NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"sid" text,
	"sealed" text,
	"next_check_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "oidc_sessions" ADD CONSTRAINT "oidc_sessions_token_sessions_token_fk" FOREIGN KEY ("token") REFERENCES "public"."sessions"("token") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "oidc_sessions_by_subject" ON "oidc_sessions" USING btree ("issuer","subject");--> statement-breakpoint
CREATE INDEX "oidc_sessions_due" ON "oidc_sessions" USING btree ("next_check_at");