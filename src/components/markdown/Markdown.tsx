import { memo, type ReactNode, useEffect, useMemo, useRef, useState, useTransition } from 'react'
import { type TextBlock, type TextBlocks, splitBlocks, hasDefinitions, emptyBlocks } from './blocks/markdownBlocks.ts'
import { MarkdownBlock } from './MarkdownBlock.tsx'
import { costOfBlock } from './blocks/blockCost.ts'
import { AnswerContext, type AnswerContextValue, type AnswerFileSource } from './answerContext.ts'
import classes from './MarkdownBlock.module.css'
import { clipHighlight, type TextHighlight } from './textHighlight.ts'

const BLOCKS_PER_GROUP = 4
/** Estimated render time (ms) that one step may add; the page responds to input between two steps. */
const STEP_MS = 100
/** A growing text waits this multiple of its open block's cost before the next render: at most a fifth of the time. */
const REST_FACTOR = 4
/** A block that costs less (ms) renders immediately. */
const CHEAP_MS = 8

export interface MarkdownProps {
  text: string
  /** True while the text grows: only the last block is parsed at each change. */
  isStreaming: boolean
  /** Shown after the last word: a caret, or where the text was truncated. */
  caret?: ReactNode
  /** The positions that `[n]` may cite, and the handler for a click. */
  citations?: readonly number[]
  onCite?: (position: number) => void
  /** The highlighted text. */
  highlight?: TextHighlight | null
  fileSource?: AnswerFileSource | null
}

/** Text that a model wrote, as markdown. Nothing in it runs; pictures come from our server alone; raw HTML is shown as text. */
export function Markdown(props: MarkdownProps) {
  const { text: given, isStreaming, caret, citations, onCite, highlight = null, fileSource = null } = props
  const [previousBlocks, setPreviousBlocks] = useState(emptyBlocks)
  const text = useThrottledText(given, isStreaming, previousBlocks.open)
  const nextBlocks = splitBlocks(previousBlocks, text)
  if (nextBlocks !== previousBlocks) setPreviousBlocks(nextBlocks)
  const whole = useMemo(
    () => (!isStreaming && hasDefinitions(text) ? joinBlocks(nextBlocks) : null),
    [isStreaming, text, nextBlocks],
  )
  const blocks = whole ?? nextBlocks
  const done = useInSteps(blocks.closed)
  const answer = useMemo<AnswerContextValue>(
    () => ({ caret, citations, onCite, fileSource }),
    [caret, citations, onCite, fileSource],
  )
  const groups = Math.ceil(done.length / BLOCKS_PER_GROUP)
  return (
    <AnswerContext value={answer}>
      <div className={classes.markdown}>
        {Array.from({ length: groups }, (_, index) => {
          const group = done.slice(index * BLOCKS_PER_GROUP, (index + 1) * BLOCKS_PER_GROUP)
          return <BlockGroup key={index} blocks={group} highlight={clipHighlight(group, highlight)} />
        })}
        {done.length < blocks.closed.length ? null : (
          <div className={classes.group}>
            <MarkdownBlock
              key={blocks.closed.length}
              block={blocks.open}
              isOpen={isStreaming}
              isHighlighted={caret !== undefined}
              highlight={clipHighlight([blocks.open], highlight)}
            />
          </div>
        )}
      </div>
    </AnswerContext>
  )
}

/**
 * A growing text, throttled to what has rendered. React renders in slices, and the next piece waits for the last one
 * to commit: a slow machine renders larger pieces, not fewer frames. Each piece parses the open block again, so the
 * delay grows with its cost.
 */
function useThrottledText(text: string, isStreaming: boolean, open: TextBlock): string {
  const [renderedText, setRenderedText] = useState(text)
  const [isRendering, start] = useTransition()
  const drawnAt = useRef(0)
  useEffect(() => {
    if (!isRendering) drawnAt.current = performance.now()
  }, [isRendering, renderedText])
  useEffect(() => {
    if (!isStreaming || isRendering || renderedText === text) return
    const draw = () => start(() => setRenderedText(text))
    const { drawMs } = costOfBlock(open)
    const rest = drawMs < CHEAP_MS ? 0 : drawnAt.current + drawMs * REST_FACTOR - performance.now()
    if (rest <= 0) return draw()
    const timer = setTimeout(draw, rest)
    return () => clearTimeout(timer)
  }, [isStreaming, isRendering, renderedText, text, open])
  return isStreaming ? renderedText : text
}

/** The first of these blocks, plus a step after each commit, so that a long text never blocks the page. */
function useInSteps(blocks: readonly TextBlock[]): readonly TextBlock[] {
  const first = blocks[0]
  const [steps, setSteps] = useState({ first, ms: STEP_MS })
  const [isDrawing, start] = useTransition()
  // A new text starts again. The first block stays the same while a text grows.
  if (steps.first !== first) setSteps({ first, ms: STEP_MS })
  const count = countWithin(blocks, steps.ms)
  const isShort = count < blocks.length
  useEffect(() => {
    if (isShort && !isDrawing) start(() => setSteps(({ first, ms }) => ({ first, ms: ms + STEP_MS })))
  }, [isShort, isDrawing, steps])
  return isShort ? blocks.slice(0, count) : blocks
}

/** How many of the blocks fit into this time; at least one. */
function countWithin(blocks: readonly TextBlock[], ms: number): number {
  let sum = 0
  const over = blocks.findIndex((block, index) => (sum += costOfBlock(block).drawMs) > ms && index > 0)
  return over < 0 ? blocks.length : over
}

/** Groups finished blocks, so that a render compares a few groups and not hundreds of blocks. */
const BlockGroup = memo(
  function Group({ blocks, highlight }: { blocks: readonly TextBlock[]; highlight: TextHighlight | null }) {
    return (
      <div className={classes.group} data-whole={blocks.length === BLOCKS_PER_GROUP || undefined}>
        {blocks.map((block, index) => (
          <MarkdownBlock
            key={index}
            block={block}
            isOpen={false}
            isHighlighted={false}
            highlight={clipHighlight([block], highlight)}
          />
        ))}
      </div>
    )
  },
  (before, after) =>
    before.highlight === after.highlight &&
    before.blocks.length === after.blocks.length &&
    before.blocks.every((block, index) => block === after.blocks[index]),
)

/** Joins what may refer to each other; folds stay apart. */
function joinBlocks(blocks: TextBlocks): TextBlocks {
  const joined: TextBlock[] = []
  for (const block of [...blocks.closed, blocks.open]) {
    const last = joined.at(-1)
    if (last?.kind === 'markdown' && block.kind === 'markdown')
      joined[joined.length - 1] = { ...last, text: last.text + block.text }
    else joined.push(block)
  }
  const open = joined.pop() ?? blocks.open
  return { ...emptyBlocks, closed: joined, open }
}
