import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { createElement } from 'react'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useWords } from '../../ui/words.ts'
import { seconds } from '../figures.ts'
import { iconFor, nameOf } from '../timeline/look.ts'
import { timelineWords } from '../timeline/messages.ts'
import type { SeenNode } from './graph.ts'
import classes from './Graph.module.css'

export type DrawnNode = Node<{ seen: SeenNode; isChosen: boolean; onOpen: () => void }, 'seen'>

/** A node of the graph: its name, type and state, how often and how long it ran. */
export function GraphNode({ data: { seen, isChosen, onOpen } }: NodeProps<DrawnNode>) {
  const t = useWords(timelineWords)
  const { node, kind, times, state } = seen
  const took = node.elapsed_time === null ? null : t('secondsShort', { seconds: seconds(node.elapsed_time * 1000) })
  const often = times > 1 ? t('timesRun', { times }) : null
  return (
    <>
      <Handle type="target" position={Position.Left} className={classes.handle} />
      <div className={classes.node} data-kind={kind} data-state={state} data-chosen={isChosen || undefined}>
        <button type="button" className={classes.open} aria-pressed={isChosen} onClick={onOpen}>
          <span className={classes.name}>
            <StateBadge word={state} bare />
            {createElement(iconFor(node), { size: 14, stroke: 1.8, 'aria-hidden': true })}
            <b dir="auto">{nameOf(node)}</b>
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
