import { setTimeout as wait } from 'node:timers/promises'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { contract } from '#contract/index.ts'
import { Annotation, Job } from './fieldTables.ts'
import { readPath, readList, toRequest, type ConformanceSuite } from './conformanceSuite.ts'

const QUESTION = 'What is the conformance suite?'

/** Operations 17 and 18: an annotation answers its question while annotation reply is on, and no longer when it is off. */
export async function checkAnnotations(suite: ConformanceSuite): Promise<void> {
  const { reply, create } = contract.annotations
  const answer = `A list of checks, ${crypto.randomUUID()}.`
  const made = await suite.expectReply('18 create annotation', create, { body: { question: QUESTION, answer } })
  suite.expectFields('18 create annotation: its fields', Annotation, made)
  suite.expectEqual(
    '18 create annotation: what was sent',
    [readPath(made, 'question'), readPath(made, 'answer')],
    [QUESTION, answer],
  )

  const settings = { score_threshold: 0.95, embedding_provider_name: null, embedding_model_name: null }
  const turn = async (action: string, body: object) => {
    const job = await suite.expectReply(`17 annotation reply, ${action}`, reply, { params: { action }, body })
    suite.expectFields(`17 annotation reply, ${action}: its fields`, Job, job)
    await waitForJob(suite, action, String(readPath(job, 'job_id')))
  }
  await turn('enable', settings)
  const question = { query: QUESTION, user: 'conformance', inputs: {}, response_mode: 'blocking' }
  const ask = () => suite.expectReply('14 send chat message, annotated', contract.chat.send, { body: question })
  suite.expectEqual('17 annotation reply, enable: it answers', readPath(await ask(), 'answer'), answer)
  await turn('disable', { score_threshold: 0.95 })
  suite.expectTrue('17 annotation reply, disable: it answers no more', readPath(await ask(), 'answer') !== answer)
  const wrong = toRequest(reply, { params: { action: 'pause' }, body: settings })
  await suite.expectRefusal('17 annotation reply: an action that is none', wrong, [400, 404])
  await suite.send(
    toRequest(optionalEndpoints.deleteAnnotation, { params: { annotation_id: String(readPath(made, 'id')) } }),
  )
}

async function waitForJob(suite: ConformanceSuite, action: string, job_id: string): Promise<void> {
  const deadline = Date.now() + 30_000
  for (;;) {
    const { body } = await suite.send(toRequest(optionalEndpoints.annotationJob, { params: { action, job_id } }))
    const status = readPath(body, 'job_status')
    if (status === 'completed') return suite.addOutcome(`17 annotation reply, ${action}: the job ends`, null)
    if (status === 'error' || Date.now() > deadline)
      return suite.addOutcome(`17 annotation reply, ${action}: the job ends`, JSON.stringify(body))
    await wait(50)
  }
}

/** Deletes what the suite has created, as far as the platform can. */
export async function cleanUp(suite: ConformanceSuite, dataset_id: string): Promise<void> {
  await suite.send(toRequest(optionalEndpoints.deleteDataset, { params: { dataset_id } }))
  const { body } = await suite.send(
    toRequest(optionalEndpoints.listConversations, { query: 'user=conformance&limit=100' }),
  )
  for (const one of readList(body, 'data'))
    await suite.send(
      toRequest(optionalEndpoints.deleteConversation, {
        params: { conversation_id: String(readPath(one, 'id')) },
        body: { user: 'conformance' },
      }),
    )
}
