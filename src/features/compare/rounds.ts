import { runs } from '../../wire/useRun.ts'
import { Conductor } from './conductor.ts'

/** The page's one conductor: leaving a board and coming back finds its rounds where they are. */
export const conductor = new Conductor(runs)
