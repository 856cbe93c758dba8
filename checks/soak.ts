import { parseArgs } from 'node:util'
import { startPostgresql } from '../server/db/postgresql.testing.ts'
import { type Sample, getHourlySlope } from './soak/sample.ts'
import { soak } from './soak/soak.ts'

/**
 * `npm run soak -- --minutes 60`: keeps a Loupe at work (20 streams at a time, lists, searches, people who come and go, streams
 * that are left before their end), looks at it each ten seconds, and says at the end what it gained in an hour, by the straight
 * line through all but the first third. `--database postgresql` starts a PostgreSQL of its own.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    streams: { type: 'string', default: '20' },
    rate: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '10' },
    database: { type: 'string' },
  },
})
const BYTES_PER_MIB = 1024 * 1024
const toMib = (bytes: number) => (bytes / BYTES_PER_MIB).toFixed(1)
const toSampleLine = ({ at, rss, heap, external, fds, handles, runs, database }: Sample) =>
  `${at.toFixed(0).padStart(6)} s  rss ${toMib(rss)}  heap ${toMib(heap)}  external ${toMib(external)}  fds ${fds}  handles ${handles}  runs ${runs}  database ${toMib(database)}`

const postgresql = values.database === 'postgresql' ? await startPostgresql() : null
const url = postgresql?.url ?? values.database
try {
  const { samples, idle, tally } = await soak({
    duration_ms: Number(values.minutes) * 60_000,
    interval_ms: Number(values.seconds) * 1_000,
    streams: Number(values.streams),
    rate: Number(values.rate),
    env: url ? { DATABASE_URL: url } : {},
    onSample: (sample) => console.log(toSampleLine(sample)),
  })
  const rest = samples.slice(Math.floor(samples.length / 3))
  const gained = (figure: keyof Sample, unit = BYTES_PER_MIB) =>
    ((getHourlySlope(rest, figure) ?? Number.NaN) / unit).toFixed(1)
  console.log(`${toSampleLine(idle)}  (nothing left to do)`)
  console.log(
    `an hour adds, after the first third: rss ${gained('rss')} MiB, heap ${gained('heap')} MiB, external ${gained('external')} MiB, ` +
      `fds ${gained('fds', 1)}, handles ${gained('handles', 1)}, database ${gained('database')} MiB`,
  )
  const { streams, frames, leftStreams, requests: asked, problems } = tally
  console.log(
    `${streams} streams, ${leftStreams} of them left early, ${frames} frames, ${asked} other requests, ${problems.length} wrong`,
  )
  for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`)
  process.exitCode = problems.length > 0 ? 1 : 0
} finally {
  await postgresql?.stop()
}
