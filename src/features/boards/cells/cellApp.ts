import type { Problem } from '#contract/problem.ts'
import type { Key, Workspace } from '#contract/console/workspaces.ts'
import type { AppForm } from '../request/cellRequest.ts'

/** The app of a cell, as this console has it now. */
export interface CellApp {
  key: Key
  workspace: Workspace
  form: AppForm
  /** Whether its form is still to come, or why it did not. */
  isLoading: boolean
  problem: Problem | null
}
