import { setTimeout as wait } from 'node:timers/promises'
import { adjacent } from '#contract/adjacent.ts'
import { contract } from '#contract/index.ts'
import { Annotation, Job } from './fields.ts'
import { at, listAt, requestOf, type Suite } from './suite.ts'

const QUESTION = 'What is the conformance suite?'

/** Operations 17 and 18: an annotation answers its question while annotation reply is on, and no longer when it is off. */
export async function annotations(suite: Suite): Promise<void> {
  const { reply, create } = contract.annotations
  const answer = `A list of checks, ${crypto.randomUUID()}.`
  const made = await suite.answers('18 create annotation', create, { body: { question: QUESTION, answer } })
  suite.fits('18 create annotation: its fields', Annotation, made)
  suite.equal('18 create annotation: what was sent', [at(made, 'question'), at(made, 'answer')], [QUESTION, answer])

  const settings = { score_threshold: 0.95, embedding_provider_name: null, embedding_model_name: null }
  const turn = async (action: string, body: object) => {
    const job = await suite.answers(`17 annotation reply, ${action}`, reply, { params: { action }, body })
    suite.fits(`17 annotation reply, ${action}: its fields`, Job, job)
    await ended(suite, action, String(at(job, 'job_id')))
  }
  await turn('enable', settings)
  const asked = { query: QUESTION, user: 'conformance', inputs: {}, response_mode: 'blocking' }
  const ask = () => suite.answers('14 send chat message, annotated', contract.chat.send, { body: asked })
  suite.equal('17 annotation reply, enable: it answers', at(await ask(), 'answer'), answer)
  await turn('disable', { score_threshold: 0.95 })
  suite.holds('17 annotation reply, disable: it answers no more', at(await ask(), 'answer') !== answer)
  const wrong = requestOf(reply, { params: { action: 'pause' }, body: settings })
  await suite.refuses('17 annotation reply: an action that is none', wrong, [400, 404])
  await suite.ask(requestOf(adjacent.deleteAnnotation, { params: { annotation_id: String(at(made, 'id')) } }))
}

async function ended(suite: Suite, action: string, job_id: string): Promise<void> {
  const deadline = Date.now() + 30_000
  for (;;) {
    const { body } = await suite.ask(requestOf(adjacent.annotationJob, { params: { action, job_id } }))
    const status = at(body, 'job_status')
    if (status === 'completed') return suite.note(`17 annotation reply, ${action}: the job ends`, null)
    if (status === 'error' || Date.now() > deadline)
      return suite.note(`17 annotation reply, ${action}: the job ends`, JSON.stringify(body))
    await wait(50)
  }
}

/** What the suite has made is taken away again, as far as the platform knows how. */
export async function tidyUp(suite: Suite, dataset_id: string): Promise<void> {
  await suite.ask(requestOf(adjacent.deleteDataset, { params: { dataset_id } }))
  const { body } = await suite.ask(requestOf(adjacent.listConversations, { query: 'user=conformance&limit=100' }))
  for (const one of listAt(body, 'data'))
    await suite.ask(
      requestOf(adjacent.deleteConversation, {
        params: { conversation_id: String(at(one, 'id')) },
        body: { user: 'conformance' },
      }),
    )
}
