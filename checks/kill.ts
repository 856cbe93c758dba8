import { parseArgs } from 'node:util'
import { killWhileIndexing } from './kill/indexing.ts'

/** `npm run kill:indexing -- --cycles 20 --documents 200`: kills a Loupe in the middle of indexing, and looks for what it had. */
const { values } = parseArgs({
  options: { cycles: { type: 'string', default: '20' }, documents: { type: 'string', default: '200' } },
})
let number = 0
const cycles = await killWhileIndexing({
  cycles: Number(values.cycles),
  documents: Number(values.documents),
  tell: ({ acknowledged, completed_before, problems }) => {
    const what = problems.length === 0 ? 'all there and completed' : problems.join('\n  ')
    console.log(`${++number}: killed with ${completed_before} of ${acknowledged} acknowledged indexed; ${what}`)
  },
})
const failed = cycles.filter(({ problems }) => problems.length > 0).length
console.log(`${cycles.length - failed} kills without loss, ${failed} with`)
process.exitCode = failed > 0 ? 1 : 0
