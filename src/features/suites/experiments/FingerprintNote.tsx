import type { ExperimentFingerprints } from '#contract/console/experiments/experimentFingerprints.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { suiteMessages } from '../messages.ts'
import classes from '../Suites.module.css'

/** Characters of a hash that are shown. */
const HASH_CHARS = 8

/** What an experiment ran on: parameters, versions and datasets, and whether these changed while it ran. */
export function FingerprintNote({ fingerprint: { start, end } }: { fingerprint: ExperimentFingerprints }) {
  const t = useMessages(suiteMessages)
  const moment = end ?? start
  if (!moment) return null
  const { parameters, versions, datasets } = moment
  if (parameters === null && versions.length === 0 && datasets.length === 0) return null
  return (
    <ul className={classes.fingerprint} aria-label={t('fingerprint')}>
      {versions.length > 0 ? <li>{t('fingerprintVersions', { versions: versions.join(', ') })}</li> : null}
      {parameters === null ? null : (
        <li title={parameters}>{t('fingerprintParameters', { hash: parameters.slice(0, HASH_CHARS) })}</li>
      )}
      {datasets.map(({ dataset_id, hash, documents, unknown }) => {
        const before = start?.datasets.find((one) => one.dataset_id === dataset_id)?.hash ?? null
        const parts = [
          hash === null
            ? t('fingerprintUnlisted', { dataset: dataset_id.slice(0, HASH_CHARS) })
            : t('fingerprintDataset', {
                dataset: dataset_id.slice(0, HASH_CHARS),
                n: documents ?? 0,
                hash: hash.slice(0, HASH_CHARS),
              }),
          ...(end && before !== null && hash !== null && before !== hash ? [t('fingerprintChanged')] : []),
          ...(hash !== null && unknown.length > 0 ? [t('fingerprintUnknown', { parts: unknown.join(', ') })] : []),
        ]
        return (
          <li key={dataset_id} title={dataset_id}>
            {parts.join(' ')}
          </li>
        )
      })}
    </ul>
  )
}
