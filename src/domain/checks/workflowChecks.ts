import type { Check, WorkflowCheckType } from '#contract/console/checks.ts'
import type { RunNode } from '../workflowRun/runNodes.ts'
import { type CheckedRun, type CheckScore, UndecidableCheckError } from './checkedResult.ts'
import { evaluateJsonPath } from './jsonChecks.ts'
import { toBoolean } from './textChecks.ts'
import { countOf, toLimit } from './wireChecks.ts'

type CheckedWorkflow = NonNullable<CheckedRun['workflow']>

/** @throws UndecidableCheckError */
export function evaluateWorkflowCheck(type: WorkflowCheckType, check: Check, { workflow }: CheckedRun): CheckScore {
  if (!workflow) throw new UndecidableCheckError('The run has no workflow.')
  switch (type) {
    case 'pauses-for-form': {
      const isPaused = workflow.paused !== null || workflow.forms.length > 0
      return {
        ...toBoolean(isPaused),
        reason: isPaused ? 'The run paused for a person.' : 'The run did not pause for a person.',
      }
    }
    case 'exceptions':
      return toExceptions(workflow)
    case 'node-order':
      return toOrder(check, requireNodes(workflow))
    case 'retries': {
      const nodes = check.node === undefined ? requireNodes(workflow) : requireExecutions(check, workflow)
      const retries = nodes.reduce((all, node) => all + node.retries.length, 0)
      return { score: retries, threshold: 0, isLimit: true, reason: `${countOf(retries, 'retry', 'retries')}.` }
    }
    case 'node-ran':
    case 'node-not-ran': {
      const times = findExecutions(check, requireNodes(workflow)).length
      const reason =
        times === 0 ? `“${check.node}” did not run.` : `“${check.node}” ran ${countOf(times, 'time', 'times')}.`
      return { ...toBoolean(times > 0 === (type === 'node-ran')), reason }
    }
    case 'node-output':
      return evaluateJsonPath(requireExecutions(check, workflow).at(-1)?.outputs, check)
    case 'node-latency':
      return toNodeLatency(check, requireExecutions(check, workflow))
  }
}

/** Blocking replies name no nodes, so that nothing is known about them. */
function requireNodes({ nodes }: CheckedWorkflow): RunNode[] {
  if (nodes.length === 0) throw new UndecidableCheckError('The platform reported no nodes.')
  return nodes
}

/** The executions of a node, which is named by its id or its title. */
const findExecutions = ({ node }: Check, nodes: readonly RunNode[]): RunNode[] =>
  nodes.filter(({ node_id, title }) => node !== undefined && (node_id === node || title === node))

function requireExecutions(check: Check, workflow: CheckedWorkflow): RunNode[] {
  const executions = findExecutions(check, requireNodes(workflow))
  if (executions.length === 0) throw new UndecidableCheckError(`“${check.node}” did not run.`)
  return executions
}

function toExceptions({ exceptions_count, nodes }: CheckedWorkflow): CheckScore {
  const failed = nodes.filter(({ status }) => status === 'exception' || status === 'failed')
  if (exceptions_count === null && nodes.length === 0)
    throw new UndecidableCheckError('The platform reported neither nodes nor exceptions.')
  const count = Math.max(exceptions_count ?? 0, failed.length)
  const names = failed.map(({ title, node_id }) => title ?? node_id).filter((name) => name !== null)
  const reason = `${countOf(count, 'exception', 'exceptions')}${names.length > 0 ? `: ${names.join(', ')}` : ''}.`
  return { score: count, threshold: 0, isLimit: true, reason }
}

/** Whether each node first began after the previous one in the list. */
function toOrder({ value }: Check, nodes: readonly RunNode[]): CheckScore {
  if (!Array.isArray(value) || value.length === 0) throw new UndecidableCheckError('`value` must be a list of nodes.')
  const names = value.map(String)
  const places = names.map((name) => nodes.findIndex(({ node_id, title }) => node_id === name || title === name))
  const missing = names.find((_, index) => places[index] === -1)
  if (missing !== undefined) return { ...toBoolean(false), reason: `“${missing}” did not run.` }
  const early = names.find((_, index) => index > 0 && (places[index] ?? 0) <= (places[index - 1] ?? 0))
  const reason = early === undefined ? 'The nodes ran in this order.' : `“${early}” ran too early.`
  return { ...toBoolean(early === undefined), reason }
}

/** Of the slowest execution. */
function toNodeLatency(check: Check, executions: readonly RunNode[]): CheckScore {
  const seconds = executions.map(({ elapsed_time }) => elapsed_time).filter((time) => time !== null)
  const slowest = seconds.length === 0 ? null : Math.round(Math.max(...seconds) * 1_000)
  return toLimit(check, slowest, `“${check.node}” took`, 'ms')
}
