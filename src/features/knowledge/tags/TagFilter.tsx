import { NativeSelect } from '@mantine/core'
import { optionalTagEndpoints } from '#contract/platform/optionalTags.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { tagMessages } from './messages.ts'

export interface TagFilterProps {
  keyId: string
  /** The id of the chosen tag; undefined for none. */
  value: string | undefined
  onChange: (tag_id: string | null) => void
}

/** Filters a list of datasets by one tag. */
export function TagFilter({ keyId, value, onChange }: TagFilterProps) {
  const t = useMessages(tagMessages)
  const { data = [] } = useRead(optionalTagEndpoints.listTags, { key: keyId })
  if (data.length === 0 && !value) return null
  return (
    <NativeSelect
      aria-label={t('filter')}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value || null)}
      data={[
        { value: '', label: t('anyTag') },
        // A tag of the URL that is not listed, as after its deletion, is shown all the same.
        ...(value && !data.some(({ id }) => id === value) ? [{ value, label: value.slice(0, 8) }] : []),
        ...data.map(({ id, name, binding_count }) => ({ value: id, label: `${name} (${Number(binding_count ?? 0)})` })),
      ]}
    />
  )
}
