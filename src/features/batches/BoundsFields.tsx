import { NumberInput } from '@mantine/core'
import type { Bounds } from '#contract/batches.ts'
import fields from '../../ui/fields/Fields.module.css'
import { useWords } from '../../ui/words.ts'
import { batchesWords } from './messages.ts'

/** How fast a batch goes and where it stops by itself. An empty field is no bound. */
export function BoundsFields({ bounds, onBounds }: { bounds: Bounds; onBounds: (bounds: Bounds) => void }) {
  const t = useWords(batchesWords)
  const optional = (name: 'per_minute' | 'max_rows' | 'max_tokens', max: number) => ({
    value: bounds[name] ?? '',
    min: 1,
    max,
    placeholder: t('noBound'),
    onChange: (value: number | string) => onBounds({ ...bounds, [name]: typeof value === 'number' ? value : null }),
    ...WHOLE,
  })
  return (
    <div className={fields.row}>
      <NumberInput
        label={t('atOnce')}
        description={t('atOnceWhy')}
        value={bounds.at_once}
        min={1}
        max={50}
        onChange={(value) => onBounds({ ...bounds, at_once: typeof value === 'number' && value >= 1 ? value : 1 })}
        {...WHOLE}
      />
      <NumberInput label={t('perMinute')} description={t('noBound')} {...optional('per_minute', 6000)} />
      <NumberInput label={t('maxRows')} description={t('noBound')} {...optional('max_rows', 100_000)} />
      <NumberInput label={t('maxTokens')} description={t('maxTokensWhy')} {...optional('max_tokens', 1_000_000_000)} />
    </div>
  )
}

const WHOLE = { allowDecimal: false, allowNegative: false, hideControls: true, clampBehavior: 'strict' } as const
