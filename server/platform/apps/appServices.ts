import type { AnnotationMatcher } from './annotations/annotationMatcher.ts'
import type { ActiveRuns } from './graphRuns/activeRuns.ts'
import type { Tasks } from './tasks/tasks.ts'

export interface AppServices {
  tasks: Tasks
  activeRuns: ActiveRuns
  matcher: AnnotationMatcher
  /** Milliseconds between two pieces of an extracted text in a stream. */
  piece_delay_ms: number
}
