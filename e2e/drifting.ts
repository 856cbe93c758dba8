import { randomUUID } from 'node:crypto'
import { block, message, messageEnd, newIds, openStream, refuse, type Script } from './faults/platform.ts'

const document = () => ({ id: randomUUID(), name: 'Teas', indexing_status: 'dreaming', shelf: { row: 2 } })
const chunk = () => ({ id: randomUUID(), content: 'Oolong.', mood: 'calm', status: 'steeping' })
const dataset = () => ({ id: randomUUID(), name: 'Teas', permission: 'moonlight', shelf: 3 })
const page = { has_more: false, limit: 20, total: 1, page: 1 }

/** What the platform answers to an operation, in place of what the contract has. The first that fits. */
const REPLIES: [operation: RegExp, body: () => unknown][] = [
  [/^POST \/datasets$/, dataset],
  [/^PATCH \/datasets\/[^/]+$/, dataset],
  [/^POST .*(create-by-text|update-by-text|update-by-file)$/, () => ({ document: document(), batch: 'b-1', shelf: 1 })],
  [/^GET .*\/documents$/, () => ({ ...page, data: [document()], cursor: 'next' })],
  [/^GET .*\/child_chunks$/, () => ({ ...page, data: [chunk()] })],
  [/^(POST|PATCH) .*\/child_chunks/, () => ({ data: chunk() })],
  [/^GET .*\/segments\/[^/]+$/, () => ({ data: { id: randomUUID(), content: 'Tea.', status: 'steeping', shelf: 1 } })],
  [/^GET \/workflows\/run\//, () => ({ id: randomUUID(), status: 'dreaming', shelf: 1 })],
  [/^GET \/parameters$/, () => ({ user_input_form: [], moonlight: { enabled: true } })],
  [/\/name$/, () => ({ id: randomUUID(), name: 'Teas', status: 'archived-by-moon', shelf: 1 })],
  [/annotation-reply/, () => ({ job_id: randomUUID(), job_status: 'dreaming', shelf: 1 })],
  [/^POST \/apps\/annotations$/, () => ({ id: randomUUID(), question: 'Why?', answer: 'Tea.', shelf: 1 })],
]

/** Answers the 18 operations, each with a field or a word that the contract does not have, and what is none of them with an odd refusal. */
export const drifting: Script = ({ method, path }, response) => {
  const operation = `${method} ${path.replace(/^\/v1/, '').split('?')[0]}`
  if (/(chat|completion)-messages$|\/workflows\/run$/.test(operation)) {
    const ids = newIds()
    const workflow_run_id = randomUUID()
    const isRun = operation.endsWith('/run')
    openStream(response)
    response.write(isRun ? '' : message(ids, 'Yes.'))
    response.write(block({ event: 'mood_changed', mood: 'calm', ...ids }))
    const data = { id: workflow_run_id, workflow_id: 'w', status: 'dreaming', outputs: {}, shelf: 1 }
    response.end(
      isRun
        ? block({ event: 'workflow_finished', task_id: ids.task_id, workflow_run_id, data })
        : messageEnd({ ...ids, shelf: 4 } as typeof ids),
    )
    return
  }
  const reply = REPLIES.find(([pattern]) => pattern.test(operation))
  if (reply) refuse(response, 200, reply[1]())
  else refuse(response, 418, { error: 'I am a teapot.' })
}
