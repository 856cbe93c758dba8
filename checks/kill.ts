import { parseArgs } from 'node:util'
import { canMount } from '#support/memoryMounts.ts'
import { type Postgresql, startPostgresql } from '../server/db/postgresql.testing.ts'
import { simulateOutages } from './kill/databaseOutage.ts'
import { killWhileBatch } from './kill/killBatch.ts'
import { killWhileExperiment } from './kill/experiments/killExperiment.ts'
import { jumpClock } from './kill/clockJumps.ts'
import { damageFolders, isFault } from './kill/folderDamage.ts'
import { fillDisk } from './kill/diskFull.ts'
import { killServers } from './kill/killServers.ts'
import { CLUSTER_FAULTS, type ClusterFault, killCluster } from './kill/killCluster.ts'
import { killWhileIndexing } from './kill/killIndexing.ts'
import { killWhileWorkflows } from './kill/killReattach.ts'
import { killWhileSealing } from './kill/killSealing.ts'
import { killWhileStreaming } from './kill/killStreams.ts'

/**
 * `npm run kill -- --kind streams --cycles 20 --database postgresql`: kills a Loupe again and again while it works, and
 * looks for what it had. `--kind` is `streams`, `stop` (SIGTERM), `seal`, `indexing`, `batch`, `experiment` (judged), `reattach` (workflows that the platform goes on with) or, on a PostgreSQL, `servers` (three at
 * once, killed in turn); without it each has its turn. `cluster` has three servers behind a balancer with its shipped file
 * (`--balancer haproxy`, `nginx` or `caddy`), and kills, restarts and pauses them, and restarts their PostgreSQL (`--fault` is one of
 * these). Four are asked for by name and kill nothing: `clock` lets the clock jump, `damage` starts on
 * `--images` damaged copies of a folder (but for the first `--after`), `disk` fills a disk under it, `away` takes a PostgreSQL away and gives it back. `--database` is the URL of an empty
 * database, or `postgresql` for a server of its own.
 */
const { values } = parseArgs({
  options: {
    kind: { type: 'string' },
    cycles: { type: 'string', default: '20' },
    database: { type: 'string' },
    streams: { type: 'string', default: '50' },
    documents: { type: 'string', default: '200' },
    images: { type: 'string', default: '1000' },
    after: { type: 'string', default: '0' },
    rows: { type: 'string', default: '300' },
    balancer: { type: 'string', default: 'haproxy' },
    fault: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '10' },
  },
})
/** MiB: disks, and what is left on them: some of the floor, less than the log's next file, nothing. */
const DISK_CASES_MIB = [160, 600].flatMap((size) => [40, 10, 0].map((left) => [size, left] as const))
/** Five minutes, an hour, a year, the end of 32 bits, the begin of summer time. */
const CLOCK_JUMPS = ['+5m', '-5m', '+1h', '-1h', '+1y', '-1y', '@2038-01-19 03:14:03', '@2027-03-28 01:59:58']
/** How many times slower than a machine of its own this one may be before a start counts as hung. */
const TIMEOUT_FACTOR = 6
/** Runs whose frames are sealed meanwhile: enough that some are left at the last kill. */
const SEALED_RUNS_PER_CYCLE = 60
const MIN_SEALED_RUNS = 400
const cycles = Number(values.cycles)
const database = await getDatabase(values.database)
const env: Record<string, string> = database ? { DATABASE_URL: database.url } : {}
let cycleNumber = 0
const reportCycle = (problems: readonly string[], description: string): boolean => {
  console.log(`${++cycleNumber}: ${description}; ${problems.length === 0 ? 'nothing lost' : problems.join('\n  ')}`)
  return problems.length === 0
}

const killStreaming = async (isStopped: boolean): Promise<boolean[]> => {
  const isIntact: boolean[] = []
  await killWhileStreaming({
    isStopped,
    cycles,
    streams: Number(values.streams),
    env,
    tell: ({ ended_ms, shown, settled_ms, ends, problems }) => {
      const words = `${shown} frames shown, ${JSON.stringify(ends)}, ended in ${ended_ms} ms, settled after ${settled_ms} ms`
      isIntact.push(reportCycle(problems, words))
    },
  })
  return isIntact
}

const killsByKind: Record<string, () => Promise<boolean[]>> = {
  streams: () => killStreaming(false),
  stop: () => killStreaming(true),
  seal: async () => {
    const whole: boolean[] = []
    const killed = await killWhileSealing({
      cycles,
      runs: Math.max(MIN_SEALED_RUNS, SEALED_RUNS_PER_CYCLE * cycles),
      env,
      tell: ({ journaled, sealed, problems }) =>
        whole.push(reportCycle(problems, `${journaled} frames in the journal, ${sealed} in chunks`)),
    })
    // The frames themselves are compared after the last kill.
    const problems = killed.flatMap((cycle) => cycle.problems)
    return [...whole.slice(0, -1), reportCycle(problems, 'all frames are compared')]
  },
  indexing: async () => {
    const whole: boolean[] = []
    await killWhileIndexing({
      cycles,
      documents: Number(values.documents),
      env,
      tell: ({ acknowledged, completed_before_kill, problems }) =>
        whole.push(
          reportCycle(problems, `${completed_before_kill} of ${acknowledged} acknowledged documents were indexed`),
        ),
    })
    return whole
  },
  batch: async () => {
    const { counts, ended_before_kill, problems } = await killWhileBatch({
      rows: Number(values.rows),
      kills: cycles,
      env,
    })
    const isWhole = reportCycle(problems, `killed at rows ${ended_before_kill.join(', ')}; ${JSON.stringify(counts)}`)
    return Array.from({ length: cycles }, () => isWhole)
  },
  experiment: async () => {
    const { counts, ended_before_kill, problems } = await killWhileExperiment({
      cases: Number(values.rows),
      kills: cycles,
      env,
    })
    const isWhole = reportCycle(problems, `killed at rows ${ended_before_kill.join(', ')}; ${JSON.stringify(counts)}`)
    return Array.from({ length: cycles }, () => isWhole)
  },
  reattach: async () => {
    const whole: boolean[] = []
    await killWhileWorkflows({
      cycles,
      streams: Number(values.streams),
      env,
      tell: ({ problems, ...said }) => whole.push(reportCycle(problems, JSON.stringify(said))),
    })
    return whole
  },
  damage: async () => {
    const counts: Record<string, number> = {}
    const all = await damageFolders({
      images: Number(values.images),
      after: Number(values.after),
      timeoutFactor: TIMEOUT_FACTOR,
      tell: (one) => {
        const { file, damageKind, isKilled, outcome, ms, said } = one
        const kind = `${isKilled ? 'killed' : 'stopped'}, ${damageKind}: ${outcome}`
        counts[kind] = (counts[kind] ?? 0) + 1
        reportCycle(isFault(one) ? [said] : [], `${file} ${kind} in ${ms} ms; ${said}`)
      },
    })
    console.log(counts)
    return all.map((one) => !isFault(one))
  },
  away: async () => {
    if (!database) throw new Error('A database is taken away with --database postgresql, or the URL of one.')
    // From a tenth of a second to a minute, as many short ones as long ones. A server that is somebody else's is not crashed.
    const kinds = ['gone', 'stalled', ...('crash' in database ? (['crashed'] as const) : [])] as const
    const outages = Array.from({ length: cycles }, (_, index) => ({
      state: kinds[index % kinds.length] ?? 'gone',
      ms: Math.round(100 * 600 ** Math.random()),
    }))
    const whole: boolean[] = []
    await simulateOutages({
      database,
      outages,
      streams: Number(values.streams),
      tell: ({ state, ms, problems, ...said }) =>
        whole.push(reportCycle(problems, `${state} ${ms} ms; ${JSON.stringify(said)}`)),
    })
    return whole
  },
  disk: async () => {
    if (!canMount()) throw new Error('A disk is mounted to be filled: that needs root.')
    const whole: boolean[] = []
    for (const [size, left] of DISK_CASES_MIB) {
      const { problems, ...said } = await fillDisk({ size, left, streams: Number(values.streams) })
      whole.push(reportCycle(problems, JSON.stringify(said)))
    }
    return whole
  },
  clock: async () => {
    const all = await jumpClock({ jumps: CLOCK_JUMPS, zone: 'Europe/Berlin' })
    return all.map(({ problems, ...said }) => reportCycle(problems, JSON.stringify(said)))
  },
  cluster: async () => {
    const { balancer, fault: onlyFault } = values
    if (balancer !== 'haproxy' && balancer !== 'nginx' && balancer !== 'caddy')
      throw new Error(`--balancer is haproxy, nginx or caddy, not ${balancer}.`)
    const faults = CLUSTER_FAULTS.filter((fault): fault is ClusterFault => !onlyFault || fault === onlyFault)
    const whole: boolean[] = []
    for (const fault of faults) {
      const postgresql = await startPostgresql()
      try {
        const { problems, ...counted } = await killCluster({
          balancer,
          fault,
          streams: Number(values.streams),
          seconds: Number(values.seconds),
          framesPerSecond: Number(values.rate),
          rows: Number(values.rows),
          steadyMs: 4_000,
          drainSeconds: 10,
          stopTimeoutSeconds: 120,
          postgresql,
        })
        whole.push(reportCycle(problems, `${balancer}, ${fault}: ${JSON.stringify(counted)}`))
      } finally {
        await postgresql.stop()
      }
    }
    return whole
  },
  servers: async () => {
    if (!database) throw new Error('Several servers need --database postgresql, or the URL of one.')
    const whole: boolean[] = []
    const { batch, batchProblems } = await killServers({
      servers: 3,
      kills: cycles,
      streams: Number(values.streams),
      rows: Number(values.rows),
      url: database.url,
      tell: ({ problems, shown, resumeCount, settled_ms, ends }) =>
        whole.push(
          reportCycle(
            problems,
            `${shown} frames shown, ${JSON.stringify(ends)}, ${resumeCount} streams begun again, the last end after ${settled_ms} ms`,
          ),
        ),
    })
    const isBatchWhole = reportCycle(batchProblems, `the batch beside them: ${JSON.stringify(batch)}`)
    return [...whole.slice(0, -1), whole.at(-1) === true && isBatchWhole]
  },
}

let failed = 0
try {
  const all = Object.keys(killsByKind).filter(
    (kind) => !['clock', 'damage', 'disk', 'away', 'cluster'].includes(kind) && (kind !== 'servers' || database),
  )
  for (const kind of values.kind ? [values.kind] : all) {
    const run = killsByKind[kind]
    if (!run) throw new Error(`There is no kind ${kind}; there are ${Object.keys(killsByKind).join(', ')}.`)
    cycleNumber = 0
    const whole = await run()
    const bad = whole.filter((isWhole) => !isWhole).length
    failed += bad
    console.log(`${kind}: ${whole.length - bad} kills without loss, ${bad} with`)
  }
} finally {
  await database?.stop()
}
process.exitCode = failed > 0 ? 1 : 0

async function getDatabase(given: string | undefined): Promise<Postgresql | Pick<Postgresql, 'url' | 'stop'> | null> {
  if (given !== 'postgresql') return given ? { url: given, stop: () => Promise.resolve() } : null
  return startPostgresql()
}
