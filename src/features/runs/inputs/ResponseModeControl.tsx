import { SegmentedControl } from '@mantine/core'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { inputMessages } from './messages.ts'

export interface ResponseModeControlProps {
  value: 'streaming' | 'blocking'
  onChange: (value: 'streaming' | 'blocking') => void
}

/** Streaming or blocking response mode. */
export function ResponseModeControl({ value, onChange }: ResponseModeControlProps) {
  const t = useMessages(inputMessages)
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('responseMode')}
      value={value}
      onChange={onChange}
      data={[
        { value: 'streaming', label: t('streaming') },
        { value: 'blocking', label: t('blockingMode') },
      ]}
    />
  )
}
