import { NumberInput } from '@mantine/core'
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
    value: limits[name] ?? '',
    min: 1,
    max,
    placeholder: t('noLimit'),
    onChange: (value: number | string) => onLimits({ ...limits, [name]: typeof value === 'number' ? value : null }),
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
      <NumberInput label={t('perMinute')} description={t('noLimit')} {...toOptionalNumber('per_minute', 6000)} />
      <NumberInput label={t('maxRows')} description={t('noLimit')} {...toOptionalNumber('max_rows', 100_000)} />
      <NumberInput
        label={t('maxTokens')}
        description={t('maxTokensWhy')}
        {...toOptionalNumber('max_tokens', 1_000_000_000)}
      />
      <NumberInput
        label={t('maxPrice')}
        description={t('maxPriceWhy')}
        {...toOptionalNumber('max_price', 1_000_000_000)}
        min={0}
        allowDecimal
      />
    </div>
  )
}

const INTEGER_INPUT_PROPS = {
  allowDecimal: false,
  allowNegative: false,
  hideControls: true,
  clampBehavior: 'strict',
} as const
