import { memo, type ReactNode, useEffect, useMemo, useRef, useState, useTransition } from 'react'
import {
  type TextBlock as TextBlock,
  type TextBlocks,
  splitBlocks,
  hasDefinitions,
  emptyBlocks,
} from './blocks/markdownBlocks.ts'
import { MarkdownBlock } from './MarkdownBlock.tsx'
import { costOfBlock } from './blocks/blockCost.ts'
import { AnswerContext, type AnswerContextValue } from './answerContext.ts'
import classes from './MarkdownBlock.module.css'
import { clipHighlight, type TextHighlight } from './textHighlight.ts'

const BLOCKS_PER_GROUP = 4
/** Milliseconds of drawing, by the estimate, that one step may add; between two steps the page answers. */
const STEP_MS = 100
/** A text that grows is drawn again after so many times what its open block costs: at most a fifth of the time goes there. */
const REST_FACTOR = 4
/** A block that costs less than this, in milliseconds, is drawn at once. */
const CHEAP_MS = 8

export interface MarkdownProps {
  text: string
  /** True while the text grows: its last block is parsed at each change, the finished ones never again. */
  isStreaming: boolean
  /** Stands behind the last word: a caret, or where the text was cut. */
  caret?: ReactNode
  /** The positions that `[n]` may cite, and what choosing one does. */
  citations?: readonly number[]
  onCite?: (position: number) => void
  /** The words that have the marker. */
  highlight?: TextHighlight | null
}

/** Text that a model wrote, as markdown. Nothing in it loads or runs; raw HTML is shown as text. */
export function Markdown({ text: given, isStreaming, caret, citations, onCite, highlight = null }: MarkdownProps) {
  const [previousBlocks, setPreviousBlocks] = useState(emptyBlocks)
  const text = useThrottledText(given, isStreaming, previousBlocks.open)
  const nextBlocks = splitBlocks(previousBlocks, text)
  if (nextBlocks !== previousBlocks) setPreviousBlocks(nextBlocks)
  const whole = useMemo(
    () => (!isStreaming && hasDefinitions(text) ? toCompleteBlocks(text) : null),
    [isStreaming, text],
  )
  const blocks = whole ?? nextBlocks
  const done = useInSteps(blocks.closed)
  const answer = useMemo<AnswerContextValue>(() => ({ caret, citations, onCite }), [caret, citations, onCite])
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
 * A text that grows, as far as it is drawn. Drawing it is cut into slices between which the page draws and answers, and the
 * next piece waits until the last one stands: a slow machine draws larger pieces, not fewer pictures. The open block is parsed
 * anew with each piece, so the next one waits longer the more that costs.
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

/** The first of these blocks, and a step more each time that the last ones stand: a long text never holds the page up. */
function useInSteps(blocks: readonly TextBlock[]): readonly TextBlock[] {
  const first = blocks[0]
  const [steps, setSteps] = useState({ first, ms: STEP_MS })
  const [isDrawing, start] = useTransition()
  // Another text begins again. The first block stays the same while a text grows.
  if (steps.first !== first) setSteps({ first, ms: STEP_MS })
  const count = countWithin(blocks, steps.ms)
  const isShort = count < blocks.length
  useEffect(() => {
    if (isShort && !isDrawing) start(() => setSteps(({ first, ms }) => ({ first, ms: ms + STEP_MS })))
  }, [isShort, isDrawing, steps])
  return isShort ? blocks.slice(0, count) : blocks
}

/** How many of the blocks cost no more than this together; one at least. */
function countWithin(blocks: readonly TextBlock[], ms: number): number {
  let sum = 0
  const over = blocks.findIndex((block, index) => (sum += costOfBlock(block).drawMs) > ms && index > 0)
  return over < 0 ? blocks.length : over
}

/** Finished blocks stand in groups, so that a long answer compares a few groups at each frame and not hundreds of blocks. */
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

const toCompleteBlocks = (text: string): TextBlocks => ({
  ...emptyBlocks,
  text: '',
  open: { kind: 'markdown', text, start: 0 },
})
