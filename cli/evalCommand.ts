import { randomUUID } from 'node:crypto'
import type { PauseReason } from '#contract/console/batches.ts'
import { type Experiment, type Suite, suiteEndpoints } from '#contract/console/suites.ts'
import { CliError, usageError } from './cliError.ts'
import type { CommandLine } from './commandLine.ts'
import type { ConsoleClient } from './consoleClient.ts'
import { type Evaluation, toEvaluation } from './reports/evaluation.ts'
import { pushFile } from './suiteFileCommands.ts'
import { findApp, findSuite, isFileName, listAll, listWorkspaces } from './suiteSources.ts'

/** Progress of the command, on stderr. */
type Report = (line: string) => void

const POLL_INTERVAL_MS = 1_000

/**
 * Runs the suites one after the other and yields the result of each. All are looked up before the first one runs, so
 * that wrong arguments and files are reported at once.
 */
export async function* evaluateSuites(
  client: ConsoleClient,
  options: CommandLine,
  report: Report,
): AsyncGenerator<Evaluation> {
  if (options.resume) {
    const experiment = await readExperiment(client, options.resume)
    const suite = await client.call(suiteEndpoints.readSuite, { params: { suite_id: experiment.suite } })
    return yield await finish(client, suite, experiment, options, report)
  }
  const suites: Suite[] = []
  for (const source of options.sources) suites.push(await findSource(client, source, options, report))
  for (const suite of suites) await requireBaseline(client, suite, options)
  for (const suite of suites)
    yield await finish(client, suite, await begin(client, suite, options, report), options, report)
}

/** @throws CliError for usage where `--against` names an experiment of another suite, before anything runs */
async function requireBaseline(client: ConsoleClient, suite: Suite, { against }: CommandLine): Promise<void> {
  if (against === null || against === 'approved') return
  const baseline = await readExperiment(client, against)
  if (baseline.suite !== suite.id)
    throw usageError(`--against names an experiment of another suite than “${suite.name}”.`)
}

async function findSource(client: ConsoleClient, source: string, options: CommandLine, report: Report): Promise<Suite> {
  if (!isFileName(source)) return findSuite(client, source, options.workspace)
  const { suite, revision, result } = await pushFile(client, source, options)
  report(`${source}: revision ${revision}, ${result}`)
  return client.call(suiteEndpoints.readSuite, { params: { suite_id: suite } })
}

/** The id is chosen here, so that a repeated request starts nothing twice. */
async function begin(
  client: ConsoleClient,
  suite: Suite,
  { app, workflow_id, repeat, tags, against }: CommandLine,
  report: Report,
): Promise<Experiment> {
  if (against === 'approved' && !suite.baseline)
    report(`“${suite.name}” has no approved experiment yet: every case must pass. Approve one on its page.`)
  const id = randomUUID()
  const key = app === null ? undefined : findApp(await listWorkspaces(client, suite.workspace), suite.target, app).id
  report(
    `“${suite.name}”: experiment ${id}. If this command is stopped, the experiment goes on; wait for it with --resume ${id}`,
  )
  return client.call(
    suiteEndpoints.createExperiment,
    {
      params: { suite_id: suite.id },
      body: { id, key, workflow_id: workflow_id ?? undefined, repetitions: repeat, tags },
    },
    true,
  )
}

const readExperiment = (client: ConsoleClient, experiment_id: string) =>
  client.call(suiteEndpoints.readExperiment, { params: { experiment_id } })

async function finish(
  client: ConsoleClient,
  suite: Suite,
  begun: Experiment,
  options: CommandLine,
  report: Report,
): Promise<Evaluation> {
  const experiment = await waitForEnd(client, begun, report)
  const results = await listAll((page, limit) =>
    client.call(suiteEndpoints.listExperimentResults, {
      params: { experiment_id: experiment.id },
      query: { page, limit },
    }),
  )
  const baseline = options.against === 'approved' ? suite.baseline : options.against
  if (baseline === experiment.id) throw usageError('--against names the experiment itself.')
  const cases =
    baseline === null
      ? null
      : await listAll((page, limit) =>
          client.call(suiteEndpoints.compareExperiments, {
            params: { experiment_id: experiment.id },
            query: { with: baseline, page, limit },
          }),
        )
  const workspaces = await listWorkspaces(client, suite.workspace)
  const key = workspaces.flatMap(({ keys }) => keys).find(({ id }) => id === experiment.target.key)
  return toEvaluation({
    url: client.url,
    suite,
    experiment,
    app: key?.label ?? experiment.target.key,
    results,
    comparison: baseline !== null && cases ? { baseline, cases } : null,
    // Without a baseline no case is known to have passed before.
    failOn: baseline === null ? 'failures' : (options.failOn ?? 'regressions'),
  })
}

async function waitForEnd(client: ConsoleClient, begun: Experiment, report: Report): Promise<Experiment> {
  let reported = ''
  for (let experiment = begun; ; experiment = await readExperiment(client, begun.id)) {
    const { state, pause, counts, total, problem } = experiment.batch
    const done = total - counts.waiting - counts.running
    const progress = `${done} of ${total} done, ${experiment.outcomes.fail} failed`
    if (progress !== reported) report(progress)
    reported = progress
    if (state === 'ended' && counts.running === 0) return experiment
    if (state === 'paused' && pause && pause !== 'not_started' && counts.running === 0)
      throw new CliError(
        `The experiment is paused: ${problem?.message ?? PAUSE_TEXTS[pause]} Resume it on its page, then wait for it with --resume ${begun.id}`,
      )
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
}

const PAUSE_TEXTS: Record<Exclude<PauseReason, 'not_started'>, string> = {
  dry_run: 'it was a dry run.',
  person: 'a person paused it.',
  no_access: 'the person who started it may no longer run it.',
  row_cap: 'it has reached its limit of rows.',
  token_cap: 'it has reached its limit of tokens.',
  no_tokens: 'the platform does not tell the tokens that its limit needs.',
  price_cap: 'it has reached its limit of money.',
  no_price: 'the platform does not tell the price that its limit needs.',
  refused: 'the platform refuses its calls.',
}
