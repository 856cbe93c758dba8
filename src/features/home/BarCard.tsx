import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { Key } from '#contract/console.ts'
import type { Figures } from '#contract/figures.ts'
import { count, priceOf } from '../../run/figures.ts'
import { useWords } from '../../ui/words.ts'
import { ChartCard } from './ChartCard.tsx'
import { homeWords } from './messages.ts'
import { barsOf, type Measure, REST, type Series, shareOf, short } from './series.ts'

const MEASURES = ['tokens', 'runs', 'price', 'failed'] as const

/** What ran, day by day and app by app: tokens, runs, price in one currency, failures. */
export function BarCard({ figures, keys, days }: { figures: Figures | undefined; keys: readonly Key[]; days: number }) {
  const t = useWords(homeWords)
  const [measure, setMeasure] = useState<Measure>('tokens')
  const [chosen, setCurrency] = useState<string | null>(null)
  const words = { tokens: t('tokens'), runs: t('runsOf'), price: t('price'), failed: t('failed') }
  const currencies = figures?.price_totals.map(({ currency }) => currency) ?? []
  const currency = chosen !== null && currencies.includes(chosen) ? chosen : (currencies[0] ?? '')
  const format = (value: number) => (measure === 'price' ? (priceOf(short(value), currency) ?? '') : short(value))
  const prices = figures?.price_totals.map((price) => priceOf(price.total, price.currency)).filter(Boolean) ?? []
  const { total } = figures ?? {}
  return (
    <ChartCard
      name={t('perDay', { measure: words[measure] })}
      choices={MEASURES.map((value) => ({ value, label: t('perDay', { measure: words[value] }) }))}
      choice={measure}
      onChoice={setMeasure}
      figure={figureOf()}
      beside={besideOf()}
      more={
        measure === 'price' && currencies.length > 1 ? (
          <NativeSelect
            size="xs"
            aria-label={t('currency')}
            value={currency}
            data={currencies.map((value) => ({ value, label: value || t('noCurrency') }))}
            onChange={(event) => setCurrency(event.currentTarget.value)}
          />
        ) : null
      }
      shape="bars"
      days={figures?.days ?? []}
      series={figures && barsOf(figures, measure, currency)}
      nameOf={nameOf}
      format={format}
    />
  )

  function figureOf(): string | null {
    if (!figures || !total) return null
    if (measure === 'price')
      return priceOf(figures.price_totals.find((one) => one.currency === currency)?.total, currency)
    if (measure === 'tokens') return total.tokens === null ? null : short(total.tokens)
    return count(total[measure])
  }

  function besideOf(): string {
    if (!total) return ''
    const notes = [t('inDays', { days })]
    if (measure === 'tokens' && prices.length > 0) notes.push(prices.join(' + '))
    if ((measure === 'tokens' || measure === 'price') && total.without_usage > 0)
      notes.push(t('withoutUsage', { count: total.without_usage }))
    const share = shareOf(total.failed, total.runs)
    if (measure === 'failed' && share !== null) notes.push(t('shareOfAll', { share }))
    if (measure === 'failed' && total.unclear > 0) notes.push(t('unclear', { count: total.unclear }))
    return notes.join(', ')
  }

  function nameOf({ name, keys: members }: Series): string {
    if (name === REST) return t('others', { count: members.length })
    return keys.find(({ id }) => id === name)?.label ?? t('deletedKey', { id: name.slice(0, 8) })
  }
}
