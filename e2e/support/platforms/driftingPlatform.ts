import { randomUUID } from 'node:crypto'
import {
  toEventBlock,
  toMessageBlock,
  toMessageEndBlock,
  createAnswerIds,
  openStream,
  sendError,
  type PlatformScript,
} from './scriptedPlatform.ts'

const createDocument = () => ({ id: randomUUID(), name: 'Teas', indexing_status: 'dreaming', shelf: { row: 2 } })
const createChunk = () => ({ id: randomUUID(), content: 'Oolong.', mood: 'calm', status: 'steeping' })
const createDataset = () => ({ id: randomUUID(), name: 'Teas', permission: 'moonlight', shelf: 3 })
const PAGE_FIELDS = { has_more: false, limit: 20, total: 1, page: 1 }

/** What the platform answers to an operation, in place of what the contract has. The first that fits. */
const REPLIES: [operation: RegExp, body: () => unknown][] = [
  [/^POST \/datasets$/, createDataset],
  [/^PATCH \/datasets\/[^/]+$/, createDataset],
  [
    /^POST .*(create-by-text|update-by-text|update-by-file)$/,
    () => ({ document: createDocument(), batch: 'b-1', shelf: 1 }),
  ],
  [/^GET .*\/documents$/, () => ({ ...PAGE_FIELDS, data: [createDocument()], cursor: 'next' })],
  [/^GET .*\/child_chunks$/, () => ({ ...PAGE_FIELDS, data: [createChunk()] })],
  [/^(POST|PATCH) .*\/child_chunks/, () => ({ data: createChunk() })],
  [/^GET .*\/segments\/[^/]+$/, () => ({ data: { id: randomUUID(), content: 'Tea.', status: 'steeping', shelf: 1 } })],
  [/^GET \/workflows\/run\//, () => ({ id: randomUUID(), status: 'dreaming', shelf: 1 })],
  [/^GET \/parameters$/, () => ({ user_input_form: [], moonlight: { enabled: true } })],
  [/\/name$/, () => ({ id: randomUUID(), name: 'Teas', status: 'archived-by-moon', shelf: 1 })],
  [/annotation-reply/, () => ({ job_id: randomUUID(), job_status: 'dreaming', shelf: 1 })],
  [/^POST \/apps\/annotations$/, () => ({ id: randomUUID(), question: 'Why?', answer: 'Tea.', shelf: 1 })],
]

/** Answers the 18 operations, each with a field or a word that the contract does not have, and what is none of them with an odd refusal. */
export const answerWithDrift: PlatformScript = ({ method, path }, response) => {
  const operation = `${method} ${path.replace(/^\/v1/, '').split('?')[0]}`
  if (/(chat|completion)-messages$|\/workflows\/run$/.test(operation)) {
    const ids = createAnswerIds()
    const workflow_run_id = randomUUID()
    const isRun = operation.endsWith('/run')
    openStream(response)
    response.write(isRun ? '' : toMessageBlock(ids, 'Yes.'))
    response.write(toEventBlock({ event: 'mood_changed', mood: 'calm', ...ids }))
    const data = { id: workflow_run_id, workflow_id: 'w', status: 'dreaming', outputs: {}, shelf: 1 }
    response.end(
      isRun
        ? toEventBlock({ event: 'workflow_finished', task_id: ids.task_id, workflow_run_id, data })
        : toMessageEndBlock({ ...ids, shelf: 4 } as typeof ids),
    )
    return
  }
  const reply = REPLIES.find(([pattern]) => pattern.test(operation))
  if (reply) sendError(response, 200, reply[1]())
  else sendError(response, 418, { fault: 'I am a teapot.' })
}
