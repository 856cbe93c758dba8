import { createHmac, hkdfSync } from 'node:crypto'
import type { SettingDifference } from '#contract/console/servers.ts'
import { type Env, ENV_NAMES } from '../env.ts'
import { toFingerprint } from '../vault/masterKeyFingerprint.ts'
import type { MasterKey } from '../vault/masterKeys.ts'

/** Settings that may differ between servers. All others must be the same on servers that share a database. */
const OWN_SETTINGS: ReadonlySet<keyof Env> = new Set([
  'HOST',
  'PORT',
  'DATA_DIR',
  'DATABASE_URL',
  'SNAPSHOTS',
  'LOG_LEVEL',
  'INSECURE_HTTP',
  'PLATFORM_HOST',
  'PLATFORM_PORT',
  'DRAIN_SECONDS',
  'STOP_TIMEOUT_SECONDS',
  // Compared at the start, which a difference prevents.
  'MASTER_KEY',
])

const FINGERPRINT_CHARS = 32

/** A fingerprint of each setting, by the fingerprint of the master key used. */
export type SettingFingerprints = Record<string, Record<string, string>>

/**
 * Fingerprints of the settings: HMAC-SHA256 with a key derived from the master key, so that a reader of the database
 * can neither read nor guess a setting. One set per master key: during a rotation servers encrypt with different
 * ones.
 */
export function createSettingFingerprints(env: Env, masterKeys: readonly MasterKey[]): SettingFingerprints {
  const shared = ENV_NAMES.filter((name) => !OWN_SETTINGS.has(name))
  return Object.fromEntries(
    masterKeys.map((master) => {
      const key = Buffer.from(hkdfSync('sha256', master.key, '', 'loupe settings', 32))
      const toSettingFingerprint = (name: keyof Env) =>
        createHmac('sha256', key)
          .update(JSON.stringify([name, env[name] ?? null]))
          .digest('hex')
          .slice(0, FINGERPRINT_CHARS)
      return [toFingerprint(master), Object.fromEntries(shared.map((name) => [name, toSettingFingerprint(name)]))]
    }),
  )
}

export interface ComparedServer {
  id: string
  /** Null for a release that does not compare settings. */
  settings: SettingFingerprints | null
}

/** The settings whose values differ, with the servers of each value, most servers first. */
export function findSettingDifferences(servers: readonly ComparedServer[]): SettingDifference[] {
  const compared = servers.flatMap(({ id, settings }) => (settings ? [{ id, settings }] : []))
  const [first, ...others] = compared
  const masterKey = Object.keys(first?.settings ?? {}).find((id) => others.every(({ settings }) => id in settings))
  if (!first || masterKey === undefined) return []
  return Object.keys(first.settings[masterKey] ?? {}).flatMap((name) => {
    const values = new Map<string, string[]>()
    for (const { id, settings } of compared) {
      const value = settings[masterKey]?.[name]
      // A server of another release may not have the setting.
      if (value !== undefined) values.set(value, [...(values.get(value) ?? []), id])
    }
    const groups = [...values.values()].sort((one, other) => other.length - one.length)
    return groups.length > 1 ? [{ name, groups }] : []
  })
}
