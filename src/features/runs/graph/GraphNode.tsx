import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { createElement } from 'react'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { formatSeconds } from '#domain/metricFormat.ts'
import { getNodeIcon, getNodeName } from '../timeline/nodeDisplay.ts'
import { timelineMessages } from '../timeline/messages.ts'
import type { ObservedNode } from './observedGraph.ts'
import classes from './RunGraph.module.css'

export type FlowNode = Node<{ seen: ObservedNode; isChosen: boolean; onOpen: () => void }, 'seen'>

/** A node of the graph: name, type, state, number of executions and duration. */
export function GraphNode({ data: { seen, isChosen, onOpen } }: NodeProps<FlowNode>) {
  const t = useMessages(timelineMessages)
  const { node, kind, executionCount, state } = seen
  const took =
    node.elapsed_time === null ? null : t('secondsShort', { seconds: formatSeconds(node.elapsed_time * 1000) })
  const often = executionCount > 1 ? t('timesRun', { times: executionCount }) : null
  return (
    <>
      <Handle type="target" position={Position.Left} className={classes.handle} />
      <div className={classes.node} data-kind={kind} data-state={state} data-chosen={isChosen || undefined}>
        <button type="button" className={classes.open} aria-pressed={isChosen} onClick={onOpen}>
          <span className={classes.name}>
            <StatusBadge status={state} isBare />
            {createElement(getNodeIcon(node), { size: 14, stroke: 1.8, 'aria-hidden': true })}
            <b dir="auto">{getNodeName(node)}</b>
          </span>
          <span className={classes.about}>
            <span>{node.node_type ?? node.kind}</span>
            <span>{[often, took].filter(Boolean).join(' · ')}</span>
          </span>
        </button>
      </div>
      <Handle type="source" position={Position.Right} className={classes.handle} />
    </>
  )
}
