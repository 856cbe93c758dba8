import { memo, type ReactNode, useEffect, useMemo, useRef, useState, useTransition } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import ReactMarkdown from 'react-markdown'
import { AnswerContext, type AnswerContextValue, type AnswerFileSource } from './answerContext.ts'
import classes from './MarkdownBlock.module.css'
import { clipHighlight, type TextHighlight } from './textHighlight.ts'
import { useMessages } from '../i18n/useMessages.ts'
import { costOf, costOfBlock } from './blocks/blockCost.ts'
import { toFoldContent } from './blocks/foldContent.ts'
import { emptyBlocks, hasDefinitions, splitBlocks, type TextBlock, type TextBlocks } from './blocks/markdownBlocks.ts'
import { FoldBlock } from './FoldBlock.tsx'
import { LargeBlock } from './LargeBlock.tsx'
import { PARTS } from './markdownElements.tsx'
import { markdownMessages } from './messages.ts'
import { toMarkedTree, toRemarkPlugins, toSafeTree } from './pipeline/markdownPipeline.ts'
import { PlainBlock } from './PlainText.tsx'

export interface MarkdownProps {
  text: string
  /** Offset of the text in the answer. */
  start?: number
  isStreaming: boolean
  /** Shown after the last word: a caret, or where the text was truncated. */
  caret?: ReactNode
  /** The positions that `[n]` may cite, and the handler for a click. */
  citations?: readonly number[]
  onCite?: (position: number) => void
  highlight?: TextHighlight | null
  fileSource?: AnswerFileSource | null
}

/**
 * Markdown written by a model. Nothing in it runs; pictures come only from our server; HTML is shown as text, except
 * some tags without attributes.
 */
export function Markdown(props: MarkdownProps) {
  const { text, start = 0, isStreaming, caret, citations, onCite, highlight = null, fileSource = null } = props
  const answer = useMemo<AnswerContextValue>(
    () => ({ caret, citations, onCite, fileSource }),
    [caret, citations, onCite, fileSource],
  )
  return (
    <AnswerContext value={answer}>
      <div className={classes.markdown}>
        <MarkdownBlocks
          text={text}
          start={start}
          isOpen={isStreaming}
          isMarked={caret !== undefined}
          highlight={highlight}
          depth={0}
        />
      </div>
    </AnswerContext>
  )
}

const BLOCKS_PER_GROUP = 4
/** Estimated render time (ms) that one step may add; the page responds to input between two steps. */
const STEP_MS = 100
/** A growing text waits this multiple of its open block's cost before the next render: at most a fifth of the time. */
const REST_FACTOR = 4
/** A block that costs less (ms) renders immediately. */
const CHEAP_MS = 8
/** Deeper folds are part of the markdown around them. */
const MAX_FOLD_DEPTH = 4

interface MarkdownBlocksProps {
  text: string
  /** Offset of the text in the answer. */
  start: number
  /** True while the text grows: only its last block is parsed at each change. */
  isOpen: boolean
  /** True if the end marker belongs after its last word. */
  isMarked: boolean
  /** The highlighted text of the answer, if it may overlap this text. */
  highlight: TextHighlight | null
  /** Folds around it. */
  depth: number
}

/** The blocks of an answer, or of a fold in it. */
function MarkdownBlocks({ text: given, start, isOpen, isMarked, highlight, depth }: MarkdownBlocksProps) {
  const [previousBlocks, setPreviousBlocks] = useState(emptyBlocks)
  const text = useThrottledText(given, isOpen, previousBlocks.open)
  const nextBlocks = splitBlocks(previousBlocks, text, start)
  if (nextBlocks !== previousBlocks) setPreviousBlocks(nextBlocks)
  const joined = useMemo(
    () => (!isOpen && hasDefinitions(text) ? joinBlocks(nextBlocks) : null),
    [isOpen, text, nextBlocks],
  )
  const { closed, open } = joined ?? nextBlocks
  const shown = useInSteps(closed)
  const groups = Math.ceil(shown.length / BLOCKS_PER_GROUP)
  return (
    <>
      {Array.from({ length: groups }, (_, index) => {
        const group = shown.slice(index * BLOCKS_PER_GROUP, (index + 1) * BLOCKS_PER_GROUP)
        return <BlockGroup key={index} blocks={group} highlight={clipHighlight(group, highlight)} depth={depth} />
      })}
      {shown.length < closed.length ? null : (
        <div className={classes.group}>
          <MarkdownBlock
            key={closed.length}
            block={open}
            isOpen={isOpen}
            isMarked={isMarked}
            highlight={clipHighlight([open], highlight)}
            depth={depth}
          />
        </div>
      )}
    </>
  )
}

/**
 * A growing text, throttled to what has rendered. React renders in slices, and the next piece waits for the last one
 * to commit: a slow machine renders larger pieces, not fewer frames. Each piece parses the open block again, so the
 * delay grows with its cost; the blocks in a fold have a throttle of their own.
 */
function useThrottledText(text: string, isOpen: boolean, open: TextBlock): string {
  const [renderedText, setRenderedText] = useState(text)
  const [isRendering, startRendering] = useTransition()
  const drawnAt = useRef(0)
  useEffect(() => {
    if (!isRendering) drawnAt.current = performance.now()
  }, [isRendering, renderedText])
  useEffect(() => {
    if (!isOpen || isRendering || renderedText === text) return
    const draw = () => startRendering(() => setRenderedText(text))
    const drawMs = open.kind === 'markdown' ? costOfBlock(open).drawMs : 0
    const rest = drawMs < CHEAP_MS ? 0 : drawnAt.current + drawMs * REST_FACTOR - performance.now()
    if (rest <= 0) return draw()
    const timer = setTimeout(draw, rest)
    return () => clearTimeout(timer)
  }, [isOpen, isRendering, renderedText, text, open])
  return isOpen ? renderedText : text
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

interface BlockGroupProps {
  blocks: readonly TextBlock[]
  highlight: TextHighlight | null
  depth: number
}

/** Groups finished blocks, so that a render compares a few groups and not hundreds of blocks. */
const BlockGroup = memo(
  function Group({ blocks, highlight, depth }: BlockGroupProps) {
    return (
      <div className={classes.group} data-whole={blocks.length === BLOCKS_PER_GROUP || undefined}>
        {blocks.map((block, index) => (
          <MarkdownBlock
            key={index}
            block={block}
            isOpen={false}
            isMarked={false}
            highlight={clipHighlight([block], highlight)}
            depth={depth}
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

interface MarkdownBlockProps extends Omit<MarkdownBlocksProps, 'text' | 'start'> {
  block: TextBlock
}

/** One block, parsed again only when its own text changes. A block above the limits is not parsed here at all. */
export const MarkdownBlock = memo(function Block({ block, ...props }: MarkdownBlockProps) {
  const t = useMessages(markdownMessages)
  const { isOpen, isMarked, highlight, depth } = props
  if (block.kind !== 'markdown' && depth < MAX_FOLD_DEPTH) {
    const { content, summary, isUnfolded } = toFoldContent(block)
    const title = block.kind === 'thought' ? t(isOpen ? 'thinking' : 'thought') : t('details')
    return (
      <FoldBlock
        summary={summary?.text ? <ParsedBlock {...summary} marked={false} mark={highlight} /> : title}
        isUnfolded={isUnfolded}
        isExpanded={highlight !== null}
      >
        <MarkdownBlocks {...content} {...props} depth={depth + 1} />
      </FoldBlock>
    )
  }
  const { text, start } = block
  const { way } = block.kind === 'markdown' ? costOfBlock(block) : costOf(text)
  const words = { text, start, marked: isMarked, mark: highlight }
  return (
    // A render error stays within one block; a new text resets it.
    <ErrorBoundary resetKeys={[text]} fallback={<PlainBlock {...words} note={t('notRendered')} />}>
      {way === 'page' ? <ParsedBlock {...words} /> : <LargeBlock {...words} open={isOpen} way={way} />}
    </ErrorBoundary>
  )
})

interface ParsedBlockProps {
  text: string
  start: number
  marked: boolean
  mark: TextHighlight | null
}

/** A separate component, so that the boundary wraps the parser. */
function ParsedBlock({ text, start, marked, mark }: ParsedBlockProps) {
  const plugins = [...toSafeTree(text, start), ...toMarkedTree(mark, start + text.length, marked)]
  return (
    <ReactMarkdown remarkPlugins={toRemarkPlugins(text)} rehypePlugins={plugins} components={PARTS}>
      {text}
    </ReactMarkdown>
  )
}
