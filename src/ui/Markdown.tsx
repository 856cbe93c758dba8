import { memo, type ReactNode, useEffect, useMemo, useRef, useState, useTransition } from 'react'
import { type Block as TextBlock, type Blocks, cutBlocks, hasDefinitions, noBlocks } from './markdown/blocks.ts'
import { Block } from './markdown/Block.tsx'
import { costOfBlock } from './markdown/blockCost.ts'
import { AnswerContext, type Answer } from './markdown/context.ts'
import classes from './markdown/Markdown.module.css'
import { markIn, type WordMark } from './markdown/words.ts'

const GROUP = 4
/** Milliseconds of drawing, by the estimate, that one step may add; between two steps the page answers. */
const STEP_MS = 100
/** A text that grows is drawn again after so many times what its open block costs: at most a fifth of the time goes there. */
const REST_FACTOR = 4
/** A block that costs less than this, in milliseconds, is drawn at once. */
const CHEAP_MS = 8

export interface MarkdownProps {
  text: string
  /** True while the text grows: its last block is parsed at each change, the finished ones never again. */
  live: boolean
  /** Stands behind the last word: a caret, or where the text was cut. */
  end?: ReactNode
  /** The positions that `[n]` may cite, and what choosing one does. */
  citations?: readonly number[]
  onCite?: (position: number) => void
  /** The words that have the marker. */
  mark?: WordMark | null
}

/** Text that a model wrote, as markdown. Nothing in it loads or runs; raw HTML is shown as text. */
export function Markdown({ text: given, live, end, citations, onCite, mark = null }: MarkdownProps) {
  const [kept, keep] = useState(noBlocks)
  const text = useInSlices(given, live, kept.open)
  const cut = cutBlocks(kept, text)
  if (cut !== kept) keep(cut)
  const whole = useMemo(() => (!live && hasDefinitions(text) ? wholeOf(text) : null), [live, text])
  const blocks = whole ?? cut
  const done = useInSteps(blocks.done)
  const answer = useMemo<Answer>(() => ({ end, citations, onCite }), [end, citations, onCite])
  const groups = Math.ceil(done.length / GROUP)
  return (
    <AnswerContext value={answer}>
      <div className={classes.markdown}>
        {Array.from({ length: groups }, (_, index) => {
          const group = done.slice(index * GROUP, (index + 1) * GROUP)
          return <Group key={index} blocks={group} mark={markIn(group, mark)} />
        })}
        {done.length < blocks.done.length ? null : (
          <div className={classes.group}>
            <Block
              key={blocks.done.length}
              block={blocks.open}
              open={live}
              marked={end !== undefined}
              mark={markIn([blocks.open], mark)}
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
function useInSlices(text: string, live: boolean, open: TextBlock): string {
  const [drawn, setDrawn] = useState(text)
  const [isDrawing, start] = useTransition()
  const drawnAt = useRef(0)
  useEffect(() => {
    if (!isDrawing) drawnAt.current = performance.now()
  }, [isDrawing, drawn])
  useEffect(() => {
    if (!live || isDrawing || drawn === text) return
    const draw = () => start(() => setDrawn(text))
    const { drawMs } = costOfBlock(open)
    const rest = drawMs < CHEAP_MS ? 0 : drawnAt.current + drawMs * REST_FACTOR - performance.now()
    if (rest <= 0) return draw()
    const timer = setTimeout(draw, rest)
    return () => clearTimeout(timer)
  }, [live, isDrawing, drawn, text, open])
  return live ? drawn : text
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
const Group = memo(
  function Group({ blocks, mark }: { blocks: readonly TextBlock[]; mark: WordMark | null }) {
    return (
      <div className={classes.group} data-whole={blocks.length === GROUP || undefined}>
        {blocks.map((block, index) => (
          <Block key={index} block={block} open={false} marked={false} mark={markIn([block], mark)} />
        ))}
      </div>
    )
  },
  (before, after) =>
    before.mark === after.mark &&
    before.blocks.length === after.blocks.length &&
    before.blocks.every((block, index) => block === after.blocks[index]),
)

const wholeOf = (text: string): Blocks => ({ ...noBlocks, text: '', open: { kind: 'markdown', text, start: 0 } })
