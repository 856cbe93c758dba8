import { runStore } from '../../../client/useRun.ts'
import { RoundScheduler } from './roundScheduler.ts'

/** The round scheduler of the page: leaving a board and coming back finds its rounds where they are. */
export const roundScheduler = new RoundScheduler(runStore)
