// Plain JavaScript, so that an older Node can read it and say what to do.
import { fileURLToPath } from 'node:url'
import { FLAGS } from './flags.mjs'

const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(`Loupe's server needs Node 24; this is ${process.version}.
npm install brings Node 24 along and "npm start" uses it. If it was left out (--omit=optional or --ignore-scripts),
run: npm install --include=optional, then npm start.`)
  process.exit(1)
}
if (!FLAGS.every((flag) => process.execArgv.includes(flag))) {
  // Compiled modules of the last start, for the threads and child processes too. Where the folder cannot be written, Node
  // goes on without.
  const cache = fileURLToPath(new URL('../node_modules/.cache/loupe', import.meta.url))
  process.execve(process.execPath, [process.execPath, ...FLAGS, ...process.argv.slice(1)], {
    NODE_COMPILE_CACHE: cache,
    ...process.env,
  })
}
if (process.argv.includes('--build')) (await import('./browserApp/startBuild.ts')).startBrowserBuild()
await import('./main.ts')
