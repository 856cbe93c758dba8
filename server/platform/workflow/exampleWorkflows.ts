import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { Workflow } from './workflowGraph.ts'
import { validateWorkflow } from './validateWorkflow.ts'

/** The workflow applications that the platform ships; `PLATFORM_WORKFLOW_KEY` opens the first. */
export const EXAMPLE_WORKFLOWS: readonly Workflow[] = [
  'answer.json',
  'digest.json',
  'inspect.json',
  'approval.json',
].map(readDefinition)

/** The chatflows that the platform ships. */
export const EXAMPLE_CHATFLOWS: readonly Workflow[] = ['reviewedAnswer.json'].map(readDefinition)

/**
 * Versions published before the current ones. Runs can name them, and paused runs continue in the version they began
 * in.
 */
export const EARLIER_VERSIONS: readonly Workflow[] = ['answer.1.json', 'reviewedAnswer.1.json'].map(readDefinition)

function readDefinition(name: string): Workflow {
  return parseWorkflow(name, readFileSync(new URL(`./definitions/${name}`, import.meta.url), 'utf8'))
}

/** @throws Error that names the defect of a definition, so that no platform starts with one that cannot run */
export function parseWorkflow(name: string, text: string): Workflow {
  const result = Workflow.safeParse(JSON.parse(text))
  if (!result.success) throw new Error(`The workflow ${name} is not right:\n${z.prettifyError(result.error)}`)
  const validationErrors = validateWorkflow(result.data)
  if (validationErrors.length > 0) throw new Error(`The workflow ${name} cannot run:\n${validationErrors.join('\n')}`)
  return result.data
}
