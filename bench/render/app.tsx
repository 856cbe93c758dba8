import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import ReactMarkdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { Streamdown } from 'streamdown'
import { Markdown } from '../../src/ui/Markdown.tsx'
import { pace } from '../../src/wire/pace.ts'
import { corpus } from '../corpus.mjs'

/** One answer that grows, drawn in one of the ways that are compared. Query: `way`, `tokens`, `rate`, `prefill`. */
const query = new URLSearchParams(window.location.search)
const number = (name: string, otherwise: number) => Number(query.get(name) ?? otherwise)
const tokens = number('tokens', 4000)
const rate = number('rate', 500)
const prefill = number('prefill', 0)
const way = query.get('way') ?? 'loupe'
const CHARS = 4

const caret = <i aria-hidden="true" />
const views: Record<string, (text: string) => ReactNode> = {
  loupe: (text) => <Markdown text={text} live end={caret} />,
  naive: (text) => <ReactMarkdown remarkPlugins={[remarkGfm]}>{text}</ReactMarkdown>,
  streamdown: (text) => <Streamdown>{text}</Streamdown>,
}

let show: (text: string) => void = () => undefined
const whole: string = corpus(tokens * CHARS)
let current = whole.slice(0, prefill * CHARS)

function View() {
  const [text, setText] = useState(current)
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    show = setText
    box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [text])
  return (
    <div ref={box} style={{ height: '90vh', width: 760, overflow: 'auto', font: '15px sans-serif' }}>
      {views[way]?.(text)}
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
 * Loupe what its store hands on (`src/wire/pace.ts`).
 */
async function play(): Promise<Rendered> {
  const worker = new Worker(new URL('./clock.ts', import.meta.url), { type: 'module' })
  const gaps: number[] = []
  let last = 0
  let isDirty = false
  let isOver = false
  const onFrame = (time: number) => {
    if (last) gaps.push(time - last)
    last = time
    if (isDirty && way !== 'loupe') {
      isDirty = false
      show(current)
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
      current = whole.slice(0, count * CHARS)
      if (way === 'naive') show(current)
      else if (way === 'loupe' && !isDirty) pace.soon(() => ((isDirty = false), show(current)))
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
Object.assign(window, { play })
