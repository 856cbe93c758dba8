import '@xyflow/react/dist/base.css'
import { Controls, type Edge, MarkerType, ReactFlow, ReactFlowProvider } from '@xyflow/react'
import { useMemo, useRef } from 'react'
import { useWords } from '../../ui/words.ts'
import { timelineWords } from '../timeline/messages.ts'
import type { Turn } from '../turn.ts'
import { isOver } from '../turn.ts'
import { useChosenNode } from '../timeline/useChosenNode.ts'
import classes from './Graph.module.css'
import { type DrawnNode, GraphNode } from './GraphNode.tsx'
import { graphOf, type SeenGraph } from './graph.ts'
import { type Place, placesOf, type Shape } from './layout.ts'

export interface GraphProps {
  turn: Turn
  /** Brings the node that was chosen into sight, where it is not. */
  onChoose: (key: string) => void
}

const TYPES = { seen: GraphNode }
const FIT = { padding: 0.08, maxZoom: 1 }
/** Smaller than this no name can be read: a wide graph begins at its start then. */
const READABLE = 0.8
const AIR = 20
const HEIGHT = { least: 190, most: 520 }
/** Below the graph, for its buttons. */
const TOOLS = 44

/** What a run showed of its workflow, as a graph. Each node is a button that opens its panel. */
export function Graph({ turn, onChoose }: GraphProps) {
  const t = useWords(timelineWords)
  const [chosen, choose] = useChosenNode()
  const canvas = useRef<HTMLDivElement>(null)
  const over = isOver(turn)
  const { run } = turn.answer
  const graph = useMemo(() => graphOf(over ? { ...run, ended: true } : run), [run, over])
  // A node that ends changes no place: only what is drawn anew is laid out anew.
  const shape = shapeOf(graph)
  const places = useMemo(() => placesOf(JSON.parse(shape) as Shape), [shape])
  const nodes = graph.nodes.map((seen): DrawnNode => {
    const { x, y, width, height } = places.get(seen.key) ?? { x: 0, y: 0, width: 0, height: 0 }
    const isChosen = seen.node.id === chosen
    return {
      id: seen.key,
      type: 'seen',
      position: { x, y },
      width,
      height,
      ...(seen.within === null ? {} : { parentId: seen.within }),
      data: {
        seen,
        isChosen,
        onOpen: () => {
          choose(seen.node.id)
          onChoose(seen.node.id)
        },
      },
    }
  })
  const edges = graph.edges.map(({ from, to, isTold }): Edge => ({
    id: `${from} ${to}`,
    source: from,
    target: to,
    className: isTold ? classes.told : classes.ordered,
    markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16, color: 'var(--text-3)' },
  }))
  const extent = extentOf(places, graph)
  const height = Math.min(HEIGHT.most, Math.max(HEIGHT.least, extent.height + 3 * AIR + TOOLS))
  const isOrdered = graph.edges.some(({ isTold }) => !isTold)
  return (
    <section className={classes.graph} aria-label={t('graph')}>
      <div ref={canvas} className={classes.canvas} style={{ height }}>
        <ReactFlowProvider>
          <ReactFlow<DrawnNode>
            key={shape}
            nodes={nodes}
            edges={edges}
            nodeTypes={TYPES}
            onInit={(drawn) => void drawn.setViewport(beginning(extent, canvas.current?.clientWidth ?? 0, height))}
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
              fitViewOptions={FIT}
              position="bottom-left"
              orientation="horizontal"
              aria-label={t('graphTools')}
            />
          </ReactFlow>
        </ReactFlowProvider>
      </div>
      <p className={classes.note}>
        {t('graphNote')} {isOrdered ? t('graphOrdered') : null}{' '}
        {graph.beyond > 0 ? t('graphBeyond', { count: graph.beyond }) : null}
      </p>
    </section>
  )
}

function extentOf(places: ReadonlyMap<string, Place>, { nodes }: SeenGraph): Pick<Place, 'width' | 'height'> {
  const outer = nodes.flatMap(({ key, within }) => (within === null ? (places.get(key) ?? []) : []))
  return {
    width: Math.max(0, ...outer.map(({ x, width }) => x + width)),
    height: Math.max(0, ...outer.map(({ y, height }) => y + height)),
  }
}

/** The whole graph in the middle, or its start where the whole would be too small to read. */
function beginning(extent: Pick<Place, 'width' | 'height'>, width: number, height: number) {
  const fitting = Math.min((width - 2 * AIR) / extent.width, (height - 2 * AIR - TOOLS) / extent.height)
  const zoom = Math.min(1, Math.max(READABLE, fitting))
  const middle = (room: number, size: number) => Math.max(AIR, (room - size * zoom) / 2)
  return { x: middle(width, extent.width), y: middle(height - TOOLS, extent.height), zoom }
}

const shapeOf = ({ nodes, edges }: SeenGraph): string =>
  JSON.stringify({ nodes: nodes.map(({ key, within, kind }) => ({ key, within, kind })), edges } satisfies Shape)
