#!/usr/bin/env node
// The command in a checkout. Plain JavaScript, so that an older Node can read it and say what to do.
const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(`From a checkout, loupe needs Node 24; this is ${process.version}.
npm install brings Node 24 along: run it as "npx loupe". The package that a server serves at /cli.tgz needs Node 20.`)
  process.exit(1)
}
await import('./main.ts')
