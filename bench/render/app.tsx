import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import ReactMarkdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { Streamdown } from 'streamdown'
import { Markdown } from '../../src/components/markdown/Markdown.tsx'
import { renderThrottle } from '../../src/client/runStore.ts'
import { createMarkdown } from './markdownText.ts'

/** One answer that grows, drawn in one of the ways that are compared. Query: `method`, `tokens`, `rate`, `prefill`. */
const query = new URLSearchParams(window.location.search)
const getNumberParam = (name: string, fallback: number) => Number(query.get(name) ?? fallback)
const tokens = getNumberParam('tokens', 4000)
const rate = getNumberParam('rate', 500)
const prefill = getNumberParam('prefill', 0)
const method = query.get('method') ?? 'loupe'
const CHARS_PER_TOKEN = 4

const caret = <i aria-hidden="true" />
const views: Record<string, (text: string) => ReactNode> = {
  loupe: (text) => <Markdown text={text} isStreaming caret={caret} />,
  naive: (text) => <ReactMarkdown remarkPlugins={[remarkGfm]}>{text}</ReactMarkdown>,
  streamdown: (text) => <Streamdown>{text}</Streamdown>,
}

let setShownText: (text: string) => void = () => undefined
const fullText = createMarkdown(tokens * CHARS_PER_TOKEN)
let current = fullText.slice(0, prefill * CHARS_PER_TOKEN)

function View() {
  const [text, setText] = useState(current)
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    setShownText = setText
    box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [text])
  return (
    <div ref={box} style={{ height: '90vh', width: 760, overflow: 'auto', font: '15px sans-serif' }}>
      {views[method]?.(text)}
    </div>
  )
}

export interface Rendered {
  frames: number
  dropped: number
  wall: number
}

/**
 * Tokens come from a worker at their rate. The naive way draws each, streamdown what came within an animation frame, and
 * Loupe what its store hands on (`src/client/runStore.ts`).
 */
async function playTokens(): Promise<Rendered> {
  const worker = new Worker(new URL('./tokenClock.ts', import.meta.url), { type: 'module' })
  const gaps: number[] = []
  let last = 0
  let isDirty = false
  let isOver = false
  const onFrame = (time: number) => {
    if (last) gaps.push(time - last)
    last = time
    if (isDirty && method !== 'loupe') {
      isDirty = false
      setShownText(current)
    }
    if (!isOver) requestAnimationFrame(onFrame)
  }
  requestAnimationFrame(onFrame)
  const began = performance.now()
  let count = prefill
  await new Promise<void>((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<boolean>) => {
      if (data) return void requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))
      count++
      current = fullText.slice(0, count * CHARS_PER_TOKEN)
      if (method === 'naive') setShownText(current)
      else if (method === 'loupe' && !isDirty) renderThrottle.schedule(() => ((isDirty = false), setShownText(current)))
      isDirty = true
    }
    worker.postMessage({ count: tokens - prefill, rate })
  })
  isOver = true
  worker.terminate()
  const dropped = gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / 16.67) - 1), 0)
  return { frames: gaps.length, dropped, wall: performance.now() - began }
}

createRoot(document.getElementById('root') as HTMLElement).render(<View />)
Object.assign(window, { play: playTokens })
