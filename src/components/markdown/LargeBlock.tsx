import { startTransition, useEffect, useState, useTransition } from 'react'
import ReactMarkdown from 'react-markdown'
import { useMessages } from '../i18n/useMessages.ts'
import type { BlockCost } from './blocks/blockCost.ts'
import classes from './MarkdownBlock.module.css'
import { markdownMessages } from './messages.ts'
import { PlainBlock, type PlainBlockProps } from './PlainText.tsx'
import { PARTS } from './markdownElements.tsx'
import { firstNodes, type HastNode } from './pipeline/htmlTree.ts'
import type { ParsedBlock, ParseRequest } from './pipeline/parseBlock.ts'
import { toMarkedTree } from './pipeline/markdownPipeline.ts'
import type { TextHighlight } from './textHighlight.ts'
import { BoundedWorker } from './boundedWorker.ts'

interface LargeBlockProps extends Omit<PlainBlockProps, 'note'> {
  /** True while the block may still grow. */
  open: boolean
  way: BlockCost['way']
}

/** A block that is too expensive for the main thread: plain text until a worker has parsed it within its limits. */
export function LargeBlock({ open, way, ...block }: LargeBlockProps) {
  const t = useMessages(markdownMessages)
  const [isAsked, setAsked] = useState(false)
  const isWanted = !open && (isAsked || way === 'worker')
  const parsed = useParsedBlock(block, isWanted)
  if (parsed)
    return <BlockTree parsed={parsed} end={block.start + block.text.length} marked={block.marked} mark={block.mark} />
  if (parsed === null) return <PlainBlock {...block} note={t('notRendered')} />
  if (isWanted) return <PlainBlock {...block} note={t('rendering')} />
  if (way === 'worker') return <PlainBlock {...block} note={t('plainUntilComplete')} />
  const button = (
    <button type="button" className={classes.render} onClick={() => setAsked(true)}>
      {t('renderAnyway')}
    </button>
  )
  return (
    <PlainBlock
      {...block}
      note={
        <>
          {t('tooLarge')} {open ? null : button}
        </>
      }
    />
  )
}

/** Nodes rendered per step; the page responds to input between two steps. */
const NODES_PER_STEP = 3_000

interface BlockTreeProps {
  parsed: NonNullable<ParsedBlock>
  /** Offset of the end of the block in the answer. */
  end: number
  marked: boolean
  mark: TextHighlight | null
}

/** A block parsed by a worker, rendered in steps. */
function BlockTree({ parsed, end, marked, mark }: BlockTreeProps) {
  const [limit, setLimit] = useState(NODES_PER_STEP)
  const [isDrawing, start] = useTransition()
  const isShort = limit < parsed.nodes
  useEffect(() => {
    if (isShort && !isDrawing) start(() => setLimit((drawn) => drawn + NODES_PER_STEP))
  }, [isShort, isDrawing])
  // The parser gets an empty text, and the plugin replaces its result with the tree.
  const useTree = () => (): HastNode => firstNodes(parsed.tree, limit)
  return (
    <ReactMarkdown
      rehypePlugins={[useTree as never, ...toMarkedTree(mark, end, marked && !isShort)]}
      components={PARTS}
    >
      {''}
    </ReactMarkdown>
  )
}

/** Timeout of a worker for one block, including loading (ms). */
const PARSE_TIMEOUT_MS = 5_000
/** Cached trees, for an answer that leaves a virtualized list and returns. */
const MAX_KEPT = 4

const worker = new BoundedWorker<ParseRequest, ParsedBlock>(
  () => new Worker(new URL('./pipeline/markdownWorker.ts', import.meta.url), { type: 'module' }),
  PARSE_TIMEOUT_MS,
)
const kept: Required<{ request: ParseRequest; parsed: ParsedBlock }>[] = []
const findKept = ({ text, start }: ParseRequest) =>
  kept.find(({ request }) => request.start === start && request.text === text)

/**
 * The tree of a block, parsed by a worker: undefined until it is ready or while it is not wanted; null if the worker
 * times out, fails, or creates more nodes than a page can render.
 */
function useParsedBlock({ text, start }: ParseRequest, isWanted: boolean): ParsedBlock | undefined {
  const [found, setFound] = useState(() => (isWanted ? findKept({ text, start }) : undefined))
  useEffect(() => {
    const request = { text, start }
    if (!isWanted) return
    const leaving = new AbortController()
    const known = findKept(request)
    void Promise.resolve(known?.parsed ?? worker.ask(request, leaving.signal)).then((parsed) => {
      if (leaving.signal.aborted) return
      if (!known) kept.unshift({ request, parsed })
      kept.length = Math.min(kept.length, MAX_KEPT)
      startTransition(() => setFound({ request, parsed }))
    })
    return () => leaving.abort()
  }, [text, start, isWanted])
  return isWanted && found?.request.text === text && found.request.start === start ? found.parsed : undefined
}
