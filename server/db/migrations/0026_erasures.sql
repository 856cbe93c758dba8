CREATE TABLE "erasures" (
	"workspace_id" uuid NOT NULL,
	"end_user" text NOT NULL,
	"before" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "erasures_workspace_id_end_user_pk" PRIMARY KEY("workspace_id","end_user")
);
--> statement-breakpoint
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;