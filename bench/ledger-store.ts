import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, open } from '../server/database/database.ts'
import { newRandom, segmentText } from './platform-texts.ts'

const AT_ONCE = 500
const ENTRIES = ['chat.send', 'chat.send', 'chat.send', 'workflows.run', 'documents.createByText', 'segments.update']
/** Of a thousand calls so many end otherwise. */
const FAILED = 30
const ERRORS = ['Model gpt-4o quota is exceeded', 'Provider Server Unavailable Error', 'The node timed out']
/** A phrase of four signs, in one call of two thousand. */
export const RARE = '黑曜石灯'
const RARE_EVERY = 2000
const BLOCK = 'data: {"event":"message","task_id":"d5bb1b4a","answer":" a few words of it"}'

/** The ids of what a filled ledger holds. */
export interface Filled {
  workspace: string
  key: string
  person: string
}

/**
 * Puts a database into a folder whose ledger has so many calls, ten frames a run of them. Its GIN indexes are made when
 * all is there, the same in a tenth of the time; it is kept for a schema, and copied.
 */
export async function copyFilledLedger(folder: string, calls: number, frames: number): Promise<Filled> {
  const kept = join(tmpdir(), `loupe-bench-ledger-${calls}-${frames}-${fingerprint()}`)
  if (!existsSync(kept)) {
    const made = mkdtempSync(join(tmpdir(), 'loupe-bench-'))
    const database = await open({ folder: made })
    try {
      writeFileSync(join(made, 'filled.json'), JSON.stringify(await fillLedger(database, calls, frames)))
    } finally {
      await database.close()
    }
    renameSync(made, kept)
  }
  for (const name of ['database', 'marker.json']) cpSync(join(kept, name), join(folder, name), { recursive: true })
  return JSON.parse(readFileSync(join(kept, 'filled.json'), 'utf8')) as Filled
}

function fingerprint(): string {
  const migrations = new URL('../server/database/migrations/', import.meta.url)
  const files = readdirSync(migrations).filter((name) => name.endsWith('.sql'))
  const hash = createHash('sha256')
  for (const file of [...files.map((name) => new URL(name, migrations)), new URL(import.meta.url)])
    hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

/** Fills the tables of a database that is empty but for its schema. */
export async function fillLedger({ pool }: Database, calls: number, frames: number): Promise<Filled> {
  const random = newRandom(7)
  const pick = <T>(list: readonly T[]) => list[Math.floor(random.next() * list.length)] as T
  const id = (part: number, index: number) =>
    `${part.toString(16).padStart(8, '0')}-0000-4000-8000-${index.toString(16).padStart(12, '0')}`
  const workspaces = [id(1, 1), id(1, 1), id(1, 1), id(1, 2)]
  const people = [id(2, 1), id(2, 2), id(2, 3)]
  await pool.query(
    `INSERT INTO workspaces(id, name, base_url, builtin, created_at)
     SELECT id, 'Bench ' || n, 'http://127.0.0.1:1/v1', false, now() FROM unnest($1::uuid[]) WITH ORDINALITY AS given(id, n)`,
    [[...new Set(workspaces)]],
  )
  await pool.query(
    `INSERT INTO people(id, name, role, default_user, created_at)
     SELECT id, 'Person ' || n, 'viewer', 'person-' || n, now() FROM unnest($1::uuid[]) WITH ORDINALITY AS given(id, n)`,
    [people],
  )
  const { rows: indexes } = await pool.query<{ indexname: string; indexdef: string }>(
    `SELECT indexname, indexdef FROM pg_indexes WHERE indexname IN ('calls_by_words', 'calls_by_touched')`,
  )
  for (const { indexname } of indexes) await pool.query(`DROP INDEX ${indexname}`)
  const last = Date.UTC(2026, 10, 21)
  for (let done = 0; done < calls; done += AT_ONCE) {
    const rows = Array.from({ length: Math.min(AT_ONCE, calls - done) }, (_, offset) => {
      const index = done + offset
      const isFailed = random.next() * 1000 < FAILED
      const title = segmentText(random).slice(0, 80)
      const words = [title, segmentText(random), segmentText(random), isFailed ? pick(ERRORS) : '']
      if (index % RARE_EVERY === 0) words.push(RARE)
      return {
        id: id(3, index),
        entry: pick(ENTRIES),
        status: isFailed ? 'failed' : 'succeeded',
        workspace: pick(workspaces),
        key: id(4, Math.floor(random.next() * 12)),
        person: pick(people),
        title,
        words: words.join('\n'),
        touched: [id(5, Math.floor(index / 8)), id(6, index)].join(','),
        at: new Date(last - (calls - index) * 20_000),
      }
    })
    const column = <Name extends keyof (typeof rows)[number]>(name: Name) => rows.map((row) => row[name])
    await pool.query(
      `INSERT INTO calls(id, entry, status, workspace_id, key_id, person_id, title, words, touched, created_at, request,
         reply, duration_ms, total_tokens, total_price, currency, frames, http_status)
       SELECT i, e, s, w, k, p, t, x, string_to_array(h, ','), a, json_build_object('query', t, 'user', 'bench'),
         json_build_object('answer', x), 1200, 480, '0.0012', 'USD', 0, 200
       FROM unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::uuid[], $6::uuid[], $7::text[], $8::text[], $9::text[],
         $10::timestamptz[]) AS given(i, e, s, w, k, p, t, x, h, a)`,
      (['id', 'entry', 'status', 'workspace', 'key', 'person', 'title', 'words', 'touched', 'at'] as const).map(column),
    )
  }
  const each = Math.ceil(frames / calls)
  for (let done = 0; each > 0 && done < calls; done += 5_000)
    await pool.query(
      `INSERT INTO frames(call_id, seq, at, bytes, block)
       SELECT id, seq, seq * 25, $2, $1 FROM (SELECT id FROM calls ORDER BY created_at, id LIMIT 5000 OFFSET ${done}) AS some,
         generate_series(1, ${each}) AS seq`,
      [BLOCK, BLOCK.length],
    )
  for (const { indexdef } of indexes) await pool.query(indexdef)
  return { workspace: id(1, 1), key: id(4, 1), person: 'Person 1' }
}
