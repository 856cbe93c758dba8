import { NativeSelect } from '@mantine/core'
import { platformEntries } from '#contract/platformEntries.ts'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { listUnobservedKinds, listObservedKinds, listSeverities } from './driftKinds.ts'
import { driftMessages } from './messages.ts'

const DRIFT_OPERATIONS = [...platformEntries.keys()]

/** What the report is of: parts that were seen or never seen, an operation, a kind of part. */
export function DriftFilters({ isUnobserved }: { isUnobserved: boolean }) {
  const t = useMessages(driftMessages)
  const list = useSearchParamState()
  return (
    <>
      <NativeSelect
        aria-label={t('view')}
        value={isUnobserved ? 'never' : 'seen'}
        onChange={(event) =>
          list.set({
            view: event.currentTarget.value === 'never' ? 'never' : null,
            kind: null,
            severity: null,
            drift: null,
          })
        }
        data={[
          { value: 'seen', label: t('seen') },
          { value: 'never', label: t('never') },
        ]}
      />
      <NativeSelect
        aria-label={t('operation')}
        value={list.get('operation') ?? ''}
        onChange={(event) => list.set({ operation: event.currentTarget.value })}
        data={[{ value: '', label: t('anyOperation') }, ...DRIFT_OPERATIONS]}
      />
      {isUnobserved ? null : (
        <NativeSelect
          aria-label={t('severity')}
          value={list.get('severity') ?? ''}
          onChange={(event) => list.set({ severity: event.currentTarget.value })}
          data={[{ value: '', label: t('anySeverity') }, ...listSeverities(t)]}
        />
      )}
      <NativeSelect
        aria-label={t('kind')}
        value={list.get('kind') ?? ''}
        onChange={(event) => list.set({ kind: event.currentTarget.value })}
        data={[{ value: '', label: t('anyKind') }, ...(isUnobserved ? listUnobservedKinds(t) : listObservedKinds(t))]}
      />
    </>
  )
}
