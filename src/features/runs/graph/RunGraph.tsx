import '@xyflow/react/dist/base.css'
import { Paper, Text } from '@mantine/core'
import {
  Controls,
  type Edge,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  ReactFlowProvider,
} from '@xyflow/react'
import { createElement, useMemo, useRef } from 'react'
import { formatSeconds } from '#domain/metricFormat.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { timelineMessages } from '../timeline/messages.ts'
import { isTurnOver, type Turn } from '../turn.ts'
import { useSelectedNode } from '../timeline/useSelectedNode.ts'
import classes from './RunGraph.module.css'
import {
  buildObservedGraph,
  type GraphTopology,
  layOutGraph,
  type NodePosition,
  type ObservedGraph,
  type ObservedNode,
} from './observedGraph.ts'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { getNodeIcon, getNodeName } from '../timeline/nodeDisplay.ts'

interface RunGraphProps {
  turn: Turn
  /** Scrolls to the selected node if it is not visible. */
  onSelectNode: (key: string) => void
}

const NODE_TYPES = { seen: GraphNode }
const FIT_VIEW_OPTIONS = { padding: 0.08, maxZoom: 1 }
/** Below this zoom names are unreadable: a wide graph then shows its start. */
const MIN_READABLE_ZOOM = 0.8
const MARGIN_PX = 20
const HEIGHT_PX = { min: 190, max: 520 }
/** Space below the graph for its controls. */
const CONTROLS_HEIGHT_PX = 44

/** The observed part of a workflow as a graph. Each node is a button that opens its panel. */
export function RunGraph({ turn, onSelectNode }: RunGraphProps) {
  const t = useMessages(timelineMessages)
  const [selectedNode, selectNode] = useSelectedNode()
  const canvas = useRef<HTMLDivElement>(null)
  const over = isTurnOver(turn)
  const { run } = turn.answer
  const graph = useMemo(() => buildObservedGraph(over ? { ...run, ended: true } : run), [run, over])
  // A change of state moves no node: lay out again only if the topology changes.
  const topologyJson = toTopologyJson(graph)
  const positions = useMemo(() => layOutGraph(JSON.parse(topologyJson) as GraphTopology), [topologyJson])
  const nodes = graph.nodes.map((node): FlowNode => {
    const { x, y, width, height } = positions.get(node.key) ?? { x: 0, y: 0, width: 0, height: 0 }
    const isChosen = node.node.id === selectedNode
    return {
      id: node.key,
      type: 'seen',
      position: { x, y },
      width,
      height,
      ...(node.parentKey === null ? {} : { parentId: node.parentKey }),
      data: {
        seen: node,
        isChosen,
        onOpen: () => {
          selectNode(node.node.id)
          onSelectNode(node.node.id)
        },
      },
    }
  })
  const edges = graph.edges.map(({ from, to, isExplicit }): Edge => ({
    id: `${from} ${to}`,
    source: from,
    target: to,
    className: isExplicit ? classes.told : classes.ordered,
    markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16, color: 'var(--text-3)' },
  }))
  const extent = measureGraph(positions, graph)
  const height = Math.min(HEIGHT_PX.max, Math.max(HEIGHT_PX.min, extent.height + 3 * MARGIN_PX + CONTROLS_HEIGHT_PX))
  const isOrdered = graph.edges.some(({ isExplicit }) => !isExplicit)
  return (
    <Paper component="section" className={classes.graph} aria-label={t('graph')}>
      <div ref={canvas} className={classes.canvas} style={{ height }}>
        <ReactFlowProvider>
          <ReactFlow<FlowNode>
            key={topologyJson}
            nodes={nodes}
            edges={edges}
            nodeTypes={NODE_TYPES}
            onInit={(flow) =>
              void flow.setViewport(getInitialViewport(extent, canvas.current?.clientWidth ?? 0, height))
            }
            minZoom={0.1}
            maxZoom={2}
            nodesDraggable={false}
            nodesConnectable={false}
            nodesFocusable={false}
            edgesFocusable={false}
            elementsSelectable={false}
            zoomOnScroll={false}
            preventScrolling={false}
            disableKeyboardA11y
          >
            <Controls
              showInteractive={false}
              fitViewOptions={FIT_VIEW_OPTIONS}
              position="bottom-left"
              orientation="horizontal"
              aria-label={t('graphTools')}
            />
          </ReactFlow>
        </ReactFlowProvider>
      </div>
      <Text className={classes.note} px="md" py="sm" fz="sm" c="dimmed">
        {t('graphNote')} {isOrdered ? t('graphOrdered') : null}{' '}
        {graph.hiddenNodeCount > 0 ? t('graphBeyond', { count: graph.hiddenNodeCount }) : null}
      </Text>
    </Paper>
  )
}

function measureGraph(
  places: ReadonlyMap<string, NodePosition>,
  { nodes }: ObservedGraph,
): Pick<NodePosition, 'width' | 'height'> {
  const outer = nodes.flatMap(({ key, parentKey }) => (parentKey === null ? (places.get(key) ?? []) : []))
  return {
    width: Math.max(0, ...outer.map(({ x, width }) => x + width)),
    height: Math.max(0, ...outer.map(({ y, height }) => y + height)),
  }
}

/** The whole graph centered, or its start if the whole would be too small to read. */
function getInitialViewport(extent: Pick<NodePosition, 'width' | 'height'>, width: number, height: number) {
  const fitting = Math.min(
    (width - 2 * MARGIN_PX) / extent.width,
    (height - 2 * MARGIN_PX - CONTROLS_HEIGHT_PX) / extent.height,
  )
  const zoom = Math.min(1, Math.max(MIN_READABLE_ZOOM, fitting))
  const middle = (room: number, size: number) => Math.max(MARGIN_PX, (room - size * zoom) / 2)
  return { x: middle(width, extent.width), y: middle(height - CONTROLS_HEIGHT_PX, extent.height), zoom }
}

const toTopologyJson = ({ nodes, edges }: ObservedGraph): string =>
  JSON.stringify({
    nodes: nodes.map(({ key, parentKey, kind }) => ({ key, parentKey, kind })),
    edges,
  } satisfies GraphTopology)

type FlowNode = Node<{ seen: ObservedNode; isChosen: boolean; onOpen: () => void }, 'seen'>

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
