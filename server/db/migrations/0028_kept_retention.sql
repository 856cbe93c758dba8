ALTER TABLE "erasures" DROP CONSTRAINT "erasures_workspace_id_workspaces_id_fk";
--> statement-breakpoint
ALTER TABLE "retention" DROP CONSTRAINT "retention_workspace_id_workspaces_id_fk";
