CREATE TABLE "experiment_results" (
	"experiment_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"case_id" uuid NOT NULL,
	"case_revision" integer NOT NULL,
	"repetition" integer NOT NULL,
	"outcome" text,
	"rank" integer,
	"metrics" json,
	"found" json,
	CONSTRAINT "experiment_results_experiment_id_number_pk" PRIMARY KEY("experiment_id","number")
);
--> statement-breakpoint
CREATE TABLE "experiments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"suite_id" uuid NOT NULL,
	"suite_revision" integer NOT NULL,
	"checks" json NOT NULL,
	"target" json NOT NULL,
	"repetitions" integer NOT NULL,
	"tags" json NOT NULL,
	"is_baseline" boolean DEFAULT false NOT NULL,
	"approved_by" uuid,
	"approved_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "suite_cases" (
	"suite_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"valid_from" integer NOT NULL,
	"valid_to" integer,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"input" json NOT NULL,
	"expected" json NOT NULL,
	"checks" json NOT NULL,
	"tags" text[] NOT NULL,
	"split" text,
	"source_run" uuid,
	"person_id" uuid,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "suite_cases_suite_id_id_valid_from_pk" PRIMARY KEY("suite_id","id","valid_from")
);
--> statement-breakpoint
CREATE TABLE "suites" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"revision" integer NOT NULL,
	"target_kind" text NOT NULL,
	"about" text NOT NULL,
	"default_checks" json NOT NULL,
	"person_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "verdicts" (
	"experiment_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"check_index" integer NOT NULL,
	"type" text NOT NULL,
	"verdict" text NOT NULL,
	"score" double precision,
	"reason" text NOT NULL,
	"judge_run" uuid,
	CONSTRAINT "verdicts_experiment_id_number_check_index_pk" PRIMARY KEY("experiment_id","number","check_index")
);
--> statement-breakpoint
ALTER TABLE "experiment_results" ADD CONSTRAINT "experiment_results_experiment_id_experiments_id_fk" FOREIGN KEY ("experiment_id") REFERENCES "public"."experiments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "experiments" ADD CONSTRAINT "experiments_id_batches_id_fk" FOREIGN KEY ("id") REFERENCES "public"."batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "experiments" ADD CONSTRAINT "experiments_suite_id_suites_id_fk" FOREIGN KEY ("suite_id") REFERENCES "public"."suites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suite_cases" ADD CONSTRAINT "suite_cases_suite_id_suites_id_fk" FOREIGN KEY ("suite_id") REFERENCES "public"."suites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suites" ADD CONSTRAINT "suites_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verdicts" ADD CONSTRAINT "verdicts_of_result" FOREIGN KEY ("experiment_id","number") REFERENCES "public"."experiment_results"("experiment_id","number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "experiment_results_by_case" ON "experiment_results" USING btree ("case_id","experiment_id");--> statement-breakpoint
CREATE INDEX "experiment_results_by_outcome" ON "experiment_results" USING btree ("experiment_id","outcome","number");--> statement-breakpoint
CREATE INDEX "experiments_by_suite" ON "experiments" USING btree ("suite_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "suite_cases_by_position" ON "suite_cases" USING btree ("suite_id","valid_to","position");--> statement-breakpoint
CREATE INDEX "suites_by_workspace" ON "suites" USING btree ("workspace_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "suites_by_target" ON "suites" USING btree ("workspace_id","about");
--> statement-breakpoint
-- Sets of questions become suites: the questions are their cases, and the ranks of the last two runs two experiments.
CREATE TEMPORARY TABLE moved_questions ON COMMIT DROP AS
  SELECT item.id AS suite_id, item.workspace_id, item.about, item.name AS suite_name, item.person_id, item.created_at, item.updated_at,
    md5(item.id::text || '/' || position)::uuid AS case_id, position::int, question->>'query' AS query, question->>'document_id' AS document_id,
    question->>'segment_id' AS segment_id, question->>'label' AS label,
    CASE WHEN question->>'rank' ~ '^[0-9]{1,6}$' THEN (question->>'rank')::int END AS now_rank,
    CASE WHEN question->>'before' ~ '^[0-9]{1,6}$' THEN (question->>'before')::int END AS before_rank
  FROM (SELECT saved_items.*, CASE WHEN json_typeof(value->'questions') = 'array' THEN value->'questions' ELSE '[]'::json END AS questions
        FROM saved_items JOIN workspaces ON workspaces.id = saved_items.workspace_id
        WHERE kind = 'question_set' AND about IS NOT NULL AND json_typeof(value) = 'object') AS item
  CROSS JOIN LATERAL json_array_elements(item.questions) WITH ORDINALITY AS entries(question, position)
  WHERE json_typeof(question) = 'object' AND question->>'query' <> '' AND question->>'document_id' <> '';
--> statement-breakpoint
INSERT INTO suites(id, workspace_id, name, revision, target_kind, about, default_checks, person_id, created_at, updated_at)
  SELECT saved_items.id, workspace_id, saved_items.name, 1, 'retrieval', about, '[{"type":"hit@k"}]', person_id, saved_items.created_at, updated_at
  FROM saved_items JOIN workspaces ON workspaces.id = saved_items.workspace_id
  WHERE kind = 'question_set' AND about IS NOT NULL AND json_typeof(value) = 'object';
--> statement-breakpoint
INSERT INTO suite_cases(suite_id, id, valid_from, position, name, input, expected, checks, tags, person_id, updated_at)
  SELECT suite_id, case_id, 1, position, left(query, 300), json_build_object('query', query),
    CASE WHEN segment_id IS NULL
      THEN json_build_object('documents', json_build_array(json_build_object('id', document_id, 'label', left(coalesce(label, ''), 300))))
      ELSE json_build_object('segments', json_build_array(json_build_object('id', segment_id, 'document_id', document_id, 'label', left(coalesce(label, ''), 300))))
    END, '[]', '{}', person_id, updated_at
  FROM moved_questions;
--> statement-breakpoint
CREATE TEMPORARY TABLE moved_ranks ON COMMIT DROP AS
  SELECT moved.*, ran.run_order, ran.rank, md5(suite_id::text || '/run/' || ran.run_order)::uuid AS experiment_id,
    row_number() OVER (PARTITION BY suite_id, ran.run_order ORDER BY position)::int AS number,
    coalesce((SELECT keys.id FROM keys WHERE keys.workspace_id = moved.workspace_id AND keys.kind = 'knowledge' LIMIT 1), '00000000-0000-0000-0000-000000000000') AS key_id
  FROM moved_questions AS moved
  CROSS JOIN LATERAL (VALUES (1, before_rank), (2, now_rank)) AS ran(run_order, rank)
  WHERE ran.rank IS NOT NULL;
--> statement-breakpoint
INSERT INTO batches(id, kind, state, workspace_id, key_id, entry, name, settings, at_once, total, person_id, created_at, began_at, ended_at)
  SELECT experiment_id, 'experiment', 'ended', workspace_id, key_id, 'adjacent.retrieve', suite_name, 'null', 4, count(*), person_id,
    updated_at - (2 - run_order) * interval '1 second', updated_at, updated_at
  FROM moved_ranks GROUP BY experiment_id, workspace_id, key_id, suite_name, person_id, updated_at, run_order;
--> statement-breakpoint
INSERT INTO batch_rows(batch_id, number, state, input, title, attempts)
  SELECT experiment_id, number, 'succeeded', json_build_object('inputs', json_build_object('query', query), 'beside', '{}'::json), left(query, 200), 1
  FROM moved_ranks;
--> statement-breakpoint
INSERT INTO experiments(id, suite_id, suite_revision, checks, target, repetitions, tags, created_at)
  SELECT experiment_id, suite_id, 1, '[{"type":"hit@k"}]',
    json_build_object('key', key_id, 'source', NULL, 'dataset_id', about, 'retrieval_model', NULL),
    1, '{"from":"question set"}', updated_at - (2 - run_order) * interval '1 second'
  FROM moved_ranks GROUP BY experiment_id, suite_id, key_id, about, updated_at, run_order;
--> statement-breakpoint
INSERT INTO experiment_results(experiment_id, number, case_id, case_revision, repetition, outcome, rank, metrics, found)
  SELECT experiment_id, number, case_id, 1, 1, CASE WHEN rank > 0 THEN 'pass' ELSE 'fail' END, rank,
    json_build_object('hit', CASE WHEN rank > 0 THEN 1 ELSE 0 END, 'mrr', CASE WHEN rank > 0 THEN 1.0 / rank ELSE 0 END), '[]'
  FROM moved_ranks;
--> statement-breakpoint
INSERT INTO verdicts(experiment_id, number, check_index, type, verdict, score, reason)
  SELECT experiment_id, number, 0, 'hit@k', CASE WHEN rank > 0 THEN 'pass' ELSE 'fail' END, CASE WHEN rank > 0 THEN 1 ELSE 0 END,
    'Measured by a question set, before suites.'
  FROM moved_ranks;
--> statement-breakpoint
DELETE FROM saved_items WHERE kind = 'question_set' AND id IN (SELECT id FROM suites);
