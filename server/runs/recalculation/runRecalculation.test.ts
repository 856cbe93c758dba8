import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { extract } from 'tar'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunGap, RunStatus } from '#contract/console/runs.ts'
import { type AnswerState, emptyAnswer } from '#domain/answer/answerState.ts'
import { emptyRun } from '#domain/workflowRun/runState.ts'
import { annotatedChatflowStream, agentWithToolStream } from '#domain/answer/answerStreams.testing.ts'
import { describeWith, requirements, SHARED_DATA } from '#support/requirements.ts'
import { type Database, openDatabase } from '../../db/database.ts'
import { openEmptyDatabase } from '../../db/embedded/databasePool.testing.ts'
import { Ledger } from '../../ledger/ledger.ts'
import { BatchStore } from '../../batches/batchStore.ts'
import type { BatchRecord } from '../../batches/batchRecord.ts'
import { ExperimentStore } from '../../suites/experimentStore.ts'
import { RunRecalculation } from './runRecalculation.ts'

const log = pino({ level: 'silent' })
const SERVER = '11111111-1111-4111-8111-111111111111'

const createJob = ({ pool }: Database, server_id: string, ledger = new Ledger(pool), silentAfterMs = 60_000) =>
  new RunRecalculation({ pool, ledger, server_id, lease: { silentAfterMs }, log })
async function runPass(job: RunRecalculation): Promise<void> {
  job.runSoon()
  await job.whenIdle()
}
const readDone = async ({ pool }: Database) =>
  (await pool.query<{ is_done: boolean }>('SELECT is_done FROM run_recalculations')).rows[0]?.is_done

describe('runs that an earlier release read differently', () => {
  let database: Database
  let ledger: Ledger
  beforeAll(async () => {
    database = await openEmptyDatabase()
    ledger = new Ledger(database.pool)
  })
  afterAll(() => database.close())

  interface EarlierRun {
    status: RunStatus
    answer: Partial<AnswerState>
    events: object[]
    gaps?: RunGap[]
  }
  const refused = { kind: 'refused', message: 'Workflow stream ended without a terminal event' } as const
  const insertRun = async ({ status, answer, events, gaps }: EarlierRun, hasFrames = true): Promise<string> => {
    const id = randomUUID()
    await database.pool.query(
      `INSERT INTO calls(id, entry, status, workspace_id, key_id, response_mode, created_at, frames, answer, problem, gaps)
       VALUES ($1, 'chat.send', $2, $1, $1, 'streaming', now(), $3, $4, $5, $6)`,
      [
        id,
        status,
        events.length,
        JSON.stringify({ ...emptyAnswer, ended: true, ...answer }),
        status === 'refused' ? JSON.stringify(refused) : null,
        gaps ? JSON.stringify(gaps) : null,
      ],
    )
    for (const [index, event] of hasFrames ? events.entries() : [])
      await database.pool.query('INSERT INTO frames(call_id, seq, at, bytes, block) VALUES ($1, $2, 0, 1, $3)', [
        id,
        index + 1,
        `data: ${JSON.stringify(event)}`,
      ])
    return id
  }
  const read = async (id: string) => {
    const row = await ledger.findWithBody(id)
    return { ...row, answer: row?.answer as AnswerState }
  }
  const annotated: EarlierRun = {
    status: 'refused',
    answer: { text: 'At nine.', run: { ...emptyRun, status: 'failed', error: refused.message, ended: true } },
    events: annotatedChatflowStream,
  }
  const agent: EarlierRun = {
    status: 'succeeded',
    answer: { text: 'Let me check the shop. It opens at nine.It opens at nine.', by_agent: true },
    events: agentWithToolStream,
  }
  const holed: EarlierRun = {
    status: 'succeeded',
    answer: { text: 'one three' },
    gaps: [{ after_frame: 2, from_ms: 1, to_ms: 2 }],
    events: [
      { event: 'workflow_started', workflow_run_id: 'r', data: { id: 'r' } },
      { event: 'message', answer: 'one ' },
      { event: 'message', answer: 'three' },
      { event: 'message_end', metadata: {} },
      {
        event: 'workflow_finished',
        workflow_run_id: 'r',
        data: { status: 'succeeded', outputs: { answer: 'one two three' } },
      },
    ],
  }
  const startAgain = () => database.pool.query('DELETE FROM run_recalculations')

  it('are folded again once; a run without frames and one that the platform reported stay', async () => {
    await startAgain()
    const ids = [await insertRun(annotated), await insertRun(agent), await insertRun(holed)]
    const [withoutFrames, reported] = [
      await insertRun(annotated, false),
      await insertRun({
        ...holed,
        answer: { text: 'x', run: { ...emptyRun, told: { at: '', elsewhere: false, because: null } } },
      }),
    ]
    await runPass(createJob(database, SERVER, ledger))
    const [first, second, third] = await Promise.all(ids.map(read))
    expect(first).toMatchObject({ status: 'succeeded', earlier_status: 'refused', problem: null, error_message: null })
    expect(first?.answer).toMatchObject({ text: 'At nine.', run: emptyRun })
    expect(second).toMatchObject({ status: 'succeeded', earlier_status: 'succeeded' })
    expect(second?.answer.text).toBe('It opens at nine.')
    expect(third?.answer).toMatchObject({ text: 'one two three', gaps: [{ after_frame: 2, after_chars: null }] })
    expect(await read(withoutFrames)).toMatchObject({ status: 'refused', earlier_status: null, problem: refused })
    expect(await read(reported)).toMatchObject({ earlier_status: null, answer: { text: 'x' } })
    expect(await readDone(database)).toBe(true)
    const later = await insertRun(annotated)
    await runPass(createJob(database, SERVER, ledger))
    expect(await read(later)).toMatchObject({ status: 'refused' })
  })

  it('are left to a server that does it, and taken over once that one is silent', async () => {
    await startAgain()
    const other = randomUUID()
    const id = await insertRun(annotated)
    await database.pool.query('INSERT INTO servers(id, seen_at) VALUES ($1, now())', [other])
    await database.pool.query(
      `INSERT INTO run_recalculations(version, server_id, created_at, call_id) SELECT 1, $1, 'epoch', $1`,
      [other],
    )
    await runPass(createJob(database, SERVER, ledger))
    expect([(await read(id)).status, await readDone(database)]).toEqual(['refused', false])
    await database.pool.query('DELETE FROM servers WHERE id = $1', [other])
    await runPass(createJob(database, SERVER, ledger))
    expect([(await read(id)).status, await readDone(database)]).toEqual(['succeeded', true])
  })

  it('are folded again after a stop in the middle, those before it not a second time', async () => {
    await startAgain()
    const ids = [await insertRun(annotated), await insertRun(annotated)]
    class StoppingLedger extends Ledger {
      override async reconcileCall(...parts: Parameters<Ledger['reconcileCall']>) {
        await super.reconcileCall(...parts)
        job.stop()
      }
    }
    const job = createJob(database, SERVER, new StoppingLedger(database.pool))
    await runPass(job)
    const statuses = async () => (await Promise.all(ids.map(read))).map(({ status }) => status)
    expect(await statuses()).toEqual(['succeeded', 'refused'])
    await runPass(createJob(database, randomUUID(), ledger, 0))
    expect(await statuses()).toEqual(['succeeded', 'succeeded'])
  })
})

const ANNOTATED = [
  '17e8db4f-a318-4e1f-99be-ec2b5f6a4c5b',
  '9da83188-ac5a-4d98-a98e-6fb58f8bebb2',
  '974ca821-d513-42f3-91ee-b599cfb43cdc',
  '63e1488e-de86-40f1-b2ed-ffa191a23cb6',
  '95209acc-16e7-4a9d-8cf3-9c2a7269affa',
  '5a3559ce-2f31-42f5-ad70-6151c5ebc60c',
]
const DOUBLED = ['85dafb2a-1ae7-480e-b3a2-d345d4cf7f37', '9cbc3fb7-5704-4a1c-834a-202eacbb8703']

describeWith(requirements.sharedData('upgrade/data-cb9b84bc.tgz'))('a data folder of an earlier release', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-recalculation-'))
  let database: Database
  beforeAll(async () => {
    await extract({ file: join(SHARED_DATA, 'upgrade/data-cb9b84bc.tgz'), cwd: folder, strip: 1 })
    database = await openDatabase({ folder })
  })
  afterAll(async () => {
    await database.close()
    rmSync(folder, { recursive: true })
  })

  it('has other statuses and texts for the runs that were read wrongly, and no others', async () => {
    const { pool } = database
    const verdicts = async () =>
      (await pool.query('SELECT * FROM verdicts ORDER BY experiment_id, number, check_index')).rows
    const results = async () =>
      (await pool.query('SELECT * FROM experiment_results ORDER BY experiment_id, number')).rows
    const texts = async () =>
      (
        await pool.query<{ id: string; gaps: unknown; text: string; recorded: string | null }>(
          `SELECT id, gaps, answer #>> '{text}' AS text, answer #>> '{run,outputs,answer}' AS recorded
         FROM calls WHERE entry = 'chat.send' AND answer IS NOT NULL ORDER BY id`,
        )
      ).rows
    const before = { verdicts: await verdicts(), results: await results(), texts: await texts() }
    await runPass(createJob(database, SERVER, undefined, 0))
    const known = JSON.parse(readFileSync(join(SHARED_DATA, 'upgrade/runs-cb9b84bc.json'), 'utf8')) as {
      id: string
      status: string
    }[]
    const { rows } = await pool.query<{ id: string; status: string; earlier_status: string | null }>(
      'SELECT id, status, earlier_status FROM calls',
    )
    const now = new Map(rows.map((row) => [row.id, row]))
    const changed = known.filter(({ id, status }) => now.get(id)?.status !== status)
    expect(changed.map(({ id }) => id).sort()).toEqual([...ANNOTATED].sort())
    for (const id of ANNOTATED) expect(now.get(id)).toMatchObject({ status: 'succeeded', earlier_status: 'refused' })
    const noted = rows.filter(({ earlier_status }) => earlier_status !== null).map(({ id }) => id)
    expect(noted).toEqual(expect.arrayContaining(DOUBLED))
    for (const { id, gaps, text, recorded } of await texts()) {
      if (DOUBLED.includes(id)) expect(text.match(/The tool said/g)).toHaveLength(1)
      if (gaps !== null && recorded) expect([id, text]).toEqual([id, recorded])
      const earlier = before.texts.find((one) => one.id === id)
      if (gaps === null && !DOUBLED.includes(id)) expect([id, text]).toEqual([id, earlier?.text])
    }
    expect([await verdicts(), await results()]).toEqual([before.verdicts, before.results])
    const batchStore = new BatchStore(database, new Ledger(pool))
    const experiments = new ExperimentStore(database, batchStore)
    const cases = await experiments.listResults('2d04f6bf-2b1e-47ec-a9fd-403646d531b9', undefined, 1, 50)
    expect(cases.data.map(({ earlier_status }) => earlier_status)).toContain('refused')
    const batch = (await batchStore.findRecord('21ee06d7-b219-4bc9-82f1-dd8c2f13e1ae', null)) as BatchRecord
    const failed = await batchStore.listRows(batch, 'failed', 0, 50)
    expect(failed.data.map(({ earlier_status }) => earlier_status)).toContain('refused')
  })
})
