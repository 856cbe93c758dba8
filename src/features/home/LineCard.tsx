import { useState } from 'react'
import type { Figures } from '#contract/figures.ts'
import { seconds } from '../../run/figures.ts'
import { useWords } from '../../ui/words.ts'
import { ChartCard } from './ChartCard.tsx'
import { homeWords } from './messages.ts'
import { linesOf, type Series, type Timing } from './series.ts'

/** How long answers took, day by day: half of them less than p50, nineteen of twenty less than p95. */
export function LineCard({ figures, days }: { figures: Figures | undefined; days: number }) {
  const t = useWords(homeWords)
  const [timing, setTiming] = useState<Timing>('answer')
  const words = { answer: t('answerTime'), first_token: t('firstToken') }
  const total = figures?.total
  const [p50, p95] = timing === 'answer' ? [total?.p50, total?.p95] : [total?.first_token_p50, total?.first_token_p95]
  const format = (ms: number) => t('seconds', { seconds: seconds(ms) })
  const nameOf = ({ name }: Series) => (name === 'p50' ? t('p50') : t('p95'))
  return (
    <ChartCard
      name={words[timing]}
      choices={(['answer', 'first_token'] as const).map((value) => ({ value, label: words[value] }))}
      choice={timing}
      onChoice={setTiming}
      figure={p50 == null ? null : format(p50)}
      beside={p95 == null ? '' : t('ofAll', { p95: format(p95), days })}
      shape="lines"
      days={figures?.days ?? []}
      series={figures && linesOf(figures, timing)}
      nameOf={nameOf}
      format={format}
    />
  )
}
