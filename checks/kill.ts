import { parseArgs } from 'node:util'
import { canMount } from '#support/memoryMounts.ts'
import type { ProxyProgram } from '#support/reverseProxy.ts'
import { type Postgresql, startPostgresql } from '../server/db/postgresql.testing.ts'
import { jumpClock } from './kill/clockJumps.ts'
import { simulateOutages } from './kill/databaseOutage.ts'
import { fillDisk } from './kill/diskFull.ts'
import { damageFolders, isFault } from './kill/folderDamage.ts'
import { killWhileBatch } from './kill/killBatch.ts'
import { CLUSTER_FAULTS, killCluster } from './kill/killCluster.ts'
import { killWhileExperiment } from './kill/killExperiment.ts'
import { killWhileIndexing } from './kill/killIndexing.ts'
import { killWhileWorkflows } from './kill/killReattach.ts'
import { killWhileSealing } from './kill/killSealing.ts'
import { killServers } from './kill/killServers.ts'
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
const DISK_CASES_MIB = [160, 600].flatMap((size) => [40, 10, 0].map((left) => ({ size, left })))
/** Five minutes, an hour, a year, the end of 32 bits, the begin of summer time. */
const CLOCK_JUMPS = ['+5m', '-5m', '+1h', '-1h', '+1y', '-1y', '@2038-01-19 03:14:03', '@2027-03-28 01:59:58']
/** How many times slower than a machine of its own this one may be before a start counts as hung. */
const TIMEOUT_FACTOR = 6
/** Runs whose frames are sealed meanwhile: enough that some are left at the last kill. */
const SEALED_RUNS_PER_CYCLE = 60
const MIN_SEALED_RUNS = 400
const [cycles, streams, rows] = [values.cycles, values.streams, values.rows].map(Number) as [number, number, number]
const database = await getDatabase(values.database)
const env: Record<string, string> = database ? { DATABASE_URL: database.url } : {}

let [cycleCount, failedCount] = [0, 0]
/** Prints what came of one kill. */
function onCycle({ problems, ...counts }: { problems: readonly string[] }): void {
  if (problems.length > 0) failedCount++
  const verdict = problems.length === 0 ? 'nothing lost' : problems.join('\n  ')
  console.log(`${++cycleCount}: ${JSON.stringify(counts)}; ${verdict}`)
}

const KINDS: Record<string, () => Promise<unknown>> = {
  streams: () => killWhileStreaming({ cycles, streams, env, onCycle }),
  stop: () => killWhileStreaming({ cycles, streams, env, isStopped: true, onCycle }),
  seal: async () => {
    const runs = Math.max(MIN_SEALED_RUNS, SEALED_RUNS_PER_CYCLE * cycles)
    const last = (await killWhileSealing({ cycles, runs, env, onCycle })).at(-1)
    // The frames themselves are compared after the last kill.
    onCycle({ problems: last?.problems ?? [] })
  },
  indexing: () => killWhileIndexing({ cycles, documents: Number(values.documents), env, onCycle }),
  batch: async () => onCycle(await killWhileBatch({ rows, kills: cycles, env })),
  experiment: async () => onCycle(await killWhileExperiment({ cases: rows, kills: cycles, env })),
  reattach: () => killWhileWorkflows({ cycles, streams, env, onCycle }),
  servers: async () => {
    const { url } = requireDatabase()
    const { batch, batchProblems } = await killServers({ servers: 3, kills: cycles, streams, rows, url, onCycle })
    onCycle({ problems: batchProblems, ...batch })
  },
}

/** These are asked for by name. */
const NAMED_KINDS: typeof KINDS = {
  damage: async () => {
    const outcomes: Record<string, number> = {}
    await damageFolders({
      images: Number(values.images),
      after: Number(values.after),
      timeoutFactor: TIMEOUT_FACTOR,
      onCycle: (result) => {
        const outcome = `${result.isKilled ? 'killed' : 'stopped'}, ${result.damageKind}: ${result.outcome}`
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
        onCycle({ problems: isFault(result) ? [result.said] : [], ...result })
      },
    })
    console.log(outcomes)
  },
  away: () => {
    // From a tenth of a second to a minute, as many short ones as long ones. A server that is somebody else's is not crashed.
    const given = requireDatabase()
    const states = ['gone', 'stalled', ...('crash' in given ? (['crashed'] as const) : [])] as const
    const outages = Array.from({ length: cycles }, (_, index) => ({
      state: states[index % states.length] ?? 'gone',
      ms: Math.round(100 * 600 ** Math.random()),
    }))
    return simulateOutages({ database: given, outages, streams, onCycle })
  },
  disk: async () => {
    if (!canMount()) throw new Error('A disk is mounted to be filled: that needs root.')
    for (const one of DISK_CASES_MIB) onCycle(await fillDisk({ ...one, streams }))
  },
  clock: async () => (await jumpClock({ jumps: CLOCK_JUMPS, zone: 'Europe/Berlin' })).forEach(onCycle),
  cluster: async () => {
    const balancer = values.balancer as ProxyProgram
    for (const fault of CLUSTER_FAULTS.filter((one) => !values.fault || one === values.fault)) {
      const postgresql = await startPostgresql()
      const load = { streams, seconds: Number(values.seconds), framesPerSecond: Number(values.rate), rows }
      const times = { steadyMs: 4_000, drainSeconds: 10, stopTimeoutSeconds: 120 }
      try {
        console.log(`${balancer}, ${fault}`)
        onCycle(await killCluster({ balancer, fault, ...load, ...times, postgresql }))
      } finally {
        await postgresql.stop()
      }
    }
  },
}

try {
  const defaults = Object.keys(KINDS).filter((kind) => kind !== 'servers' || database)
  let failed = 0
  for (const kind of values.kind ? [values.kind] : defaults) {
    const run = { ...KINDS, ...NAMED_KINDS }[kind]
    if (!run)
      throw new Error(`There is no kind ${kind}; there are ${Object.keys({ ...KINDS, ...NAMED_KINDS }).join(', ')}.`)
    ;[cycleCount, failedCount] = [0, 0]
    await run()
    failed += failedCount
    console.log(`${kind}: ${cycleCount - failedCount} without loss, ${failedCount} with`)
  }
  process.exitCode = failed > 0 ? 1 : 0
} finally {
  await database?.stop()
}

async function getDatabase(given: string | undefined): Promise<Postgresql | Pick<Postgresql, 'url' | 'stop'> | null> {
  if (given !== 'postgresql') return given ? { url: given, stop: () => Promise.resolve() } : null
  return startPostgresql()
}

function requireDatabase(): Postgresql | Pick<Postgresql, 'url' | 'stop'> {
  if (!database) throw new Error('This needs --database postgresql, or the URL of one.')
  return database
}
