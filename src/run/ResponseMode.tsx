import { SegmentedControl } from '../ui/SegmentedControl.tsx'
import { useWords } from '../ui/words.ts'
import { runWords } from './messages.ts'

export interface ResponseModeProps {
  value: 'streaming' | 'blocking'
  onChange: (value: 'streaming' | 'blocking') => void
}

/** Whether an answer comes word by word or whole. */
export function ResponseMode({ value, onChange }: ResponseModeProps) {
  const t = useWords(runWords)
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
