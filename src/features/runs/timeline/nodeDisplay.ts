import {
  IconArrowsSplit2,
  IconBook2,
  IconBox,
  IconBraces,
  IconCode,
  IconCornerDownRight,
  IconFileText,
  IconFlag,
  IconMessage,
  IconPlayerPlay,
  IconRepeat,
  IconRobot,
  IconSparkles,
  IconTool,
  IconWorld,
} from '@tabler/icons-react'
import type { RunNode } from '#domain/workflowRun/runState.ts'
import type { TimelineSpan } from './timelineSpans.ts'

const NODE_ICONS: Record<string, typeof IconBox> = {
  start: IconPlayerPlay,
  end: IconFlag,
  answer: IconMessage,
  llm: IconSparkles,
  agent: IconRobot,
  tool: IconTool,
  code: IconCode,
  iteration: IconRepeat,
  loop: IconRepeat,
  'if-else': IconArrowsSplit2,
  'question-classifier': IconArrowsSplit2,
  'knowledge-retrieval': IconBook2,
  'document-extractor': IconFileText,
  'template-transform': IconBraces,
  'http-request': IconWorld,
}

/** The icon of a row; an unknown type has the default one. */
export const getSpanIcon = ({ kind, node }: TimelineSpan): typeof IconBox =>
  kind === 'round' ? IconCornerDownRight : getNodeIcon(node)

export const getNodeIcon = ({ node_type, kind }: Pick<RunNode, 'node_type' | 'kind'>): typeof IconBox =>
  NODE_ICONS[node_type ?? kind] ?? IconBox

export const getNodeName = ({ title, node_id, id }: RunNode): string => title || node_id || id

/** The tokens of a node, null if missing. */
export function getNodeTokens({ execution_metadata }: RunNode): number | null {
  const total = execution_metadata?.total_tokens
  return typeof total === 'number' ? total : null
}

/** The announced number of rounds of an iteration or loop; null if unknown. */
export function getRoundCount({ execution_metadata }: RunNode): number | null {
  const length = execution_metadata?.iterator_length ?? execution_metadata?.loop_length
  return typeof length === 'number' ? length : null
}
