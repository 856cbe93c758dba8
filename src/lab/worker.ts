import { counterOf, type CountTokens } from '#contract/cutting/tokens.ts'
import { tidy } from '#contract/cutting/tidy.ts'
import { cutUp, type LabChunk, planFor } from './cutting.ts'
import { figuresOf, totalsOf } from './figures.ts'
import type { Asked, Told } from './protocol.ts'

/** The lab's own thread: the vocabulary of the tokenizer, the readers of files and the cut itself never block the page. */
const scope = globalThis as unknown as {
  postMessage: (told: Told) => void
  onmessage: ((event: MessageEvent<Asked>) => void) | null
}
const cancelled = new Set<number>()
/** Milliseconds of work between two looks at what was asked meanwhile, and between two parts that the page draws. */
const TURN = 40
const PART = 400
/** So many chunks are drawn at once, whatever the clock says. */
const FIRST = 50

scope.onmessage = ({ data }) => {
  if (data.kind === 'cancel') {
    cancelled.add(data.id)
    return
  }
  answer(data).catch((error: unknown) =>
    scope.postMessage({ id: data.id, kind: 'failed', reason: error instanceof Error ? error.message : String(error) }),
  )
}

async function answer(asked: Exclude<Asked, { kind: 'cancel' }>): Promise<void> {
  const { id } = asked
  if (asked.kind === 'read') {
    const { textOfFile } = await import('./read.ts')
    const read = await textOfFile(asked.file)
    scope.postMessage('text' in read ? { id, kind: 'read', text: read.text } : { id, kind: 'unread', why: read.unread })
    return
  }
  const countTokens = await tokenizer()
  if (asked.kind === 'count') {
    scope.postMessage({ id, kind: 'count', tokens: countTokens(asked.text) })
    return
  }
  await cut(asked, countTokens)
}

async function cut({ id, text: given, setting }: Extract<Asked, { kind: 'cut' }>, countTokens: CountTokens) {
  const began = performance.now()
  const plan = planFor(setting)
  const text = tidy(given, plan.tidying)
  scope.postMessage({ id, kind: 'tidied', text })
  const all: LabChunk[] = []
  let told = 0
  const tell = (at: number) => {
    scope.postMessage({ id, kind: 'chunks', chunks: all.slice(told), figures: figuresOf(all), at })
    told = all.length
  }
  let turn = performance.now()
  let part = turn
  for (const chunk of cutUp(text, plan, countTokens)) {
    all.push(chunk)
    const now = performance.now()
    if (all.length === FIRST || now - part > PART) {
      tell(chunk.end)
      part = now
    }
    if (now - turn < TURN) continue
    await new Promise((resolve) => setTimeout(resolve))
    if (cancelled.delete(id)) return
    turn = performance.now()
  }
  if (all.length > told) tell(text.length)
  scope.postMessage({ id, kind: 'done', took: performance.now() - began, totals: totalsOf(text, all) })
}

let loaded: Promise<CountTokens> | undefined

/** o200k_base, as the built-in platform counts; other platforms count a little differently. */
const tokenizer = (): Promise<CountTokens> =>
  (loaded ??= import('gpt-tokenizer').then(({ countTokens, setMergeCacheSize }) => {
    // Its cache gets slower the more words it holds (server/platform/indexing/tokens.ts).
    setMergeCacheSize(0)
    const asText = { disallowedSpecial: new Set<string>() }
    return counterOf((text) => countTokens(text, asText))
  }))
