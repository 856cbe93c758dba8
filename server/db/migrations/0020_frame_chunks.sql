CREATE TABLE "frame_chunks" (
	"call_id" uuid NOT NULL,
	"first_seq" integer NOT NULL,
	"last_seq" integer NOT NULL,
	"first_at" integer NOT NULL,
	"last_at" integer NOT NULL,
	"bytes" integer NOT NULL,
	"data" "bytea" NOT NULL,
	CONSTRAINT "frame_chunks_call_id_first_seq_pk" PRIMARY KEY("call_id","first_seq")
);
--> statement-breakpoint
-- The data are compressed already: PostgreSQL would try it again, in vain.
ALTER TABLE "frame_chunks" ALTER COLUMN "data" SET STORAGE EXTERNAL;
