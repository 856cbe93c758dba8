CREATE TABLE "scheduled_answers" (
	"run_id" uuid NOT NULL,
	"form_id" text NOT NULL,
	"person_id" uuid,
	"inputs" json NOT NULL,
	"action" text NOT NULL,
	"send_at" timestamp (3) with time zone NOT NULL,
	"claimed_at" timestamp (3) with time zone,
	"problem" json,
	CONSTRAINT "scheduled_answers_run_id_form_id_pk" PRIMARY KEY("run_id","form_id")
);
--> statement-breakpoint
ALTER TABLE "scheduled_answers" ADD CONSTRAINT "scheduled_answers_run_id_calls_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."calls"("id") ON DELETE cascade ON UPDATE no action;