import { availableParallelism } from 'node:os'

// Flags that V8 reads when a process begins, so the start replaces its own process. The embedded database is
// WebAssembly, and its SQL parser is one function of 100 KB: the optimizing compiler takes 2.5 s and 600 MB for it, once in
// each process. Baseline code alone gives a start in half the time, for 5 to 40 % more work in a query. And young objects
// get up to 32 MB: with 8 the frames that wait for their commit are copied again and again, and a thousand streams cost a
// quarter more. What the database's thread gets stands in server/db/embedded/databaseThread.ts. And on few cores V8 gets few helpers: four
// that collect garbage side by side on two cores mostly wait for each other.
const helpers = Math.min(4, Math.max(1, availableParallelism() - 1))
//
// And no signal opens Node's inspector: it reads memory, and the keys in it.
export const FLAGS = ['--liftoff-only', '--max-semi-space-size=32', `--v8-pool-size=${helpers}`, '--disable-sigusr1']
