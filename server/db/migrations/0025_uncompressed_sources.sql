-- Compressing 5 MB of text is one step of 0.4 s in the embedded database, in which everybody waits; a file is mostly compressed already.
-- Applies to what is added from now on.
ALTER TABLE "platform"."sources" ALTER COLUMN "text" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "platform"."sources" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;
