// Plain JavaScript, so that an older Node can read it and say what to do.
const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(`Loupe's server needs Node 24; this is ${process.version}.
npm install brings Node 24 along and "npm start" uses it. If it was left out (--omit=optional or --ignore-scripts),
run: npm install --include=optional, then npm start.`)
  process.exit(1)
}
// Two flags that V8 reads when a process begins, so this one begins anew in its own place. The embedded database is
// WebAssembly, and its SQL parser is one function of 100 KB: the optimizing compiler takes 2.5 s and 600 MB for it, once in
// each process. Baseline code alone gives a start in half the time, for 5 to 40 % more work in a query. And young objects
// get up to 32 MB: with 8 the frames that wait for their commit are copied again and again, and a thousand streams cost a
// quarter more. What the database's thread gets stands in server/database/embedded.ts.
const FLAGS = ['--liftoff-only', '--max-semi-space-size=32']
if (!FLAGS.every((flag) => process.execArgv.includes(flag)))
  process.execve(process.execPath, [process.execPath, ...FLAGS, ...process.argv.slice(1)])
await import('./main.ts')
