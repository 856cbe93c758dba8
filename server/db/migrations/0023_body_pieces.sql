CREATE TABLE "body_pieces" (
	"call_id" uuid NOT NULL,
	"body_id" uuid NOT NULL,
	"piece" integer NOT NULL,
	"is_last" boolean NOT NULL,
	"data" "bytea" NOT NULL,
	CONSTRAINT "body_pieces_call_id_body_id_piece_pk" PRIMARY KEY("call_id","body_id","piece")
);
--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "request_body_id" uuid;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "reply_body_id" uuid;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "answer_body_id" uuid;--> statement-breakpoint
ALTER TABLE "body_pieces" ADD CONSTRAINT "body_pieces_call_id_calls_id_fk" FOREIGN KEY ("call_id") REFERENCES "public"."calls"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- The data are compressed already: PostgreSQL would try it again, in vain.
ALTER TABLE "body_pieces" ALTER COLUMN "data" SET STORAGE EXTERNAL;
