import type { Logger } from 'pino'
import { BackgroundJob } from '../jobs/backgroundJob.ts'
import { isLive, listServerRows, type ServerListDeps } from './listServers.ts'
import { findSettingDifferences } from './settingFingerprints.ts'

const CHECK_INTERVAL_MS = 10_000

/** Compares the settings of this server with those of the others, for `/readyz` and the log. */
export class SettingComparison extends BackgroundJob {
  #differing: readonly string[] = []

  constructor(deps: ServerListDeps & { log: Pick<Logger, 'info' | 'warn' | 'error'> }) {
    super({
      intervalMs: CHECK_INTERVAL_MS,
      onError: (err) => deps.log.error({ err }, 'compare settings failed'),
      run: async () => {
        const live = (await listServerRows(deps)).filter(isLive)
        const differing = findSettingDifferences(live).map(({ name }) => name)
        if (differing.join() === this.#differing.join()) return
        this.#differing = differing
        if (differing.length > 0) deps.log.warn({ settings: differing }, 'settings differ from those of other servers')
        else deps.log.info('settings are the same on all servers')
      },
    })
  }

  /** Names of settings; no reply contains their values. */
  get differing(): readonly string[] {
    return this.#differing
  }
}
