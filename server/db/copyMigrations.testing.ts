import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SHIPPED_MIGRATIONS } from './schemaMigrations.ts'

interface JournalEntry {
  idx: number
  when: number
  tag: string
}

/** Copies the shipped migrations with another journal. @returns the folder, which the test removes. */
export function copyMigrations(change: (entries: readonly JournalEntry[]) => JournalEntry[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-migrations-'))
  cpSync(SHIPPED_MIGRATIONS.folder, folder, { recursive: true })
  const path = join(folder, 'meta', '_journal.json')
  const journal = JSON.parse(readFileSync(path, 'utf8')) as { entries: JournalEntry[] }
  writeFileSync(path, JSON.stringify({ ...journal, entries: change(journal.entries) }))
  return folder
}
