import { asId, asRecord, asText } from '#domain/stream/untrustedJson.ts'
import { type FoldState, getWorkflow } from '../../ledger/runStatus.ts'

const START_EVENTS = new Set(['node_started', 'iteration_started', 'loop_started'])
const FINISH_EVENTS = new Set(['node_finished', 'iteration_completed', 'loop_completed'])

/**
 * Separates new events of a resumed stream from those that repeat stored frames: the stream begins with a snapshot of
 * the run, whose events have the original ids and less detail.
 */
export class RepeatFilter {
  readonly #started: Set<string>
  readonly #finished: Set<string>
  readonly #forms: Set<string>
  #text: string
  #isStarted: boolean
  #isPaused: boolean
  #hasFinished: boolean
  /** Whether the start of the snapshot was received. */
  #hasSnapshot = false
  /** After a resumption, and after the first text, nothing is repeated. */
  #isLive = false

  constructor(state: FoldState) {
    const workflow = getWorkflow(state)
    this.#started = new Set(workflow.nodes.map(({ id }) => id))
    this.#finished = new Set(workflow.nodes.filter(({ status }) => status !== 'running').map(({ id }) => id))
    this.#forms = new Set(workflow.forms.map((form) => asId(form.form_id)).filter((id) => id !== null))
    this.#text = state.text
    this.#isStarted = workflow.workflow_run_id !== null
    this.#isPaused = workflow.paused !== null
    this.#hasFinished = workflow.ended && workflow.paused === null
  }

  /** Whether an event is new; call it once for each event, in order. */
  isNews(input: unknown): boolean {
    const event = asRecord(input)
    const name = asText(event?.event)
    const data = asRecord(event?.data)
    const isNews = name !== null && this.#isNamedNews(name, event ?? {}, data ?? {})
    if (isNews && (name === 'message' || name === 'text_chunk')) this.#isLive = true
    return isNews
  }

  #isNamedNews(name: string, event: Record<string, unknown>, data: Record<string, unknown>): boolean {
    if (name === 'workflow_started') return this.#isNewStart(data)
    if (name === 'ping') return this.#isLive
    if (name === 'workflow_finished') return !this.#hasFinished && (this.#hasFinished = true)
    if (this.#isLive) return true
    if (START_EVENTS.has(name)) return addNew(this.#started, asId(data.id))
    if (FINISH_EVENTS.has(name)) return this.#isNewFinish(data)
    if (name === 'human_input_required') return addNew(this.#forms, asId(data.form_id))
    if (name === 'workflow_paused') return !this.#isPaused && (this.#isPaused = true)
    if (name === 'message_replace') return this.#isNewText(asText(event.answer) ?? '')
    return true
  }

  /** The snapshot begins with its own start event; a later one is a resumption. */
  #isNewStart(data: Record<string, unknown>): boolean {
    if (!this.#hasSnapshot) {
      this.#hasSnapshot = true
      return !this.#isStarted
    }
    if (data.reason === 'resumption') this.#isLive = true
    return true
  }

  /** The node of a form appears as finished with status `paused`, which its own events never have. */
  #isNewFinish(data: Record<string, unknown>): boolean {
    if (data.status === 'paused') return false
    return addNew(this.#finished, asId(data.id))
  }

  /** The text of the answer in the snapshot, which may be older than the last stored frame. */
  #isNewText(text: string): boolean {
    if (this.#text.startsWith(text)) return false
    this.#text = text
    return true
  }
}

/** Adds the id; false if it was known. Without an id nothing counts as known. */
function addNew(known: Set<string>, id: string | null): boolean {
  if (id === null) return true
  const isNew = !known.has(id)
  known.add(id)
  return isNew
}
