import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'
import type { BatchLimits } from '#contract/console/batches.ts'
import fields from '../../components/forms/Fields.module.css'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { batchMessages } from './messages.ts'

/** The speed and the stop conditions of a batch. An empty field is no limit. */
export function BatchLimitFields({
  limits,
  onLimits,
}: {
  limits: BatchLimits
  onLimits: (bounds: BatchLimits) => void
}) {
  const t = useMessages(batchMessages)
  const toOptionalNumber = (name: 'per_minute' | 'max_rows' | 'max_tokens' | 'max_price', max: number) => ({
    limit: limits[name],
    min: 1,
    max,
    placeholder: t('noLimit'),
    onLimit: (limit: number | null) => onLimits({ ...limits, [name]: limit }),
    ...INTEGER_INPUT_PROPS,
  })
  return (
    <div className={fields.row}>
      <NumberInput
        label={t('atOnce')}
        description={t('atOnceWhy')}
        value={limits.at_once}
        min={1}
        max={50}
        onChange={(value) => onLimits({ ...limits, at_once: typeof value === 'number' && value >= 1 ? value : 1 })}
        {...INTEGER_INPUT_PROPS}
      />
      <LimitInput label={t('perMinute')} description={t('noLimit')} {...toOptionalNumber('per_minute', 6000)} />
      <LimitInput label={t('maxRows')} description={t('noLimit')} {...toOptionalNumber('max_rows', 100_000)} />
      <LimitInput
        label={t('maxTokens')}
        description={t('maxTokensWhy')}
        {...toOptionalNumber('max_tokens', 1_000_000_000)}
      />
      <LimitInput
        label={t('maxPrice')}
        description={t('maxPriceWhy')}
        {...toOptionalNumber('max_price', 1_000_000_000)}
        min={0}
        allowDecimal
      />
    </div>
  )
}

interface LimitInputProps extends NumberInputProps {
  limit: number | null
  onLimit: (limit: number | null) => void
}

/** What is typed stays while it is no number yet: "0." on the way to "0.05". */
function LimitInput({ limit, onLimit, ...props }: LimitInputProps) {
  const [typed, setTyped] = useState<number | string>(limit ?? '')
  return (
    <NumberInput
      {...props}
      value={typed}
      onChange={(value) => {
        setTyped(value)
        onLimit(value === '' || !Number.isFinite(Number(value)) ? null : Number(value))
      }}
    />
  )
}

const INTEGER_INPUT_PROPS = {
  allowDecimal: false,
  allowNegative: false,
  hideControls: true,
  clampBehavior: 'strict',
} as const
