import type { Matcher } from './matching.ts'
import type { Tasks } from './tasks.ts'

/** What the applications share beside the platform's context. */
export interface Services {
  tasks: Tasks
  matcher: Matcher
  /** Milliseconds between two pieces of an extracted text in a stream. */
  pace_ms: number
}
