// Plain JavaScript, so that an older Node can read it and say what to do.
import { FLAGS } from './flags.mjs'

const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(`Loupe's server needs Node 24; this is ${process.version}.
npm install brings Node 24 along and "npm start" uses it. If it was left out (--omit=optional or --ignore-scripts),
run: npm install --include=optional, then npm start.`)
  process.exit(1)
}
if (!FLAGS.every((flag) => process.execArgv.includes(flag)))
  process.execve(process.execPath, [process.execPath, ...FLAGS, ...process.argv.slice(1)])
await import('./main.ts')
