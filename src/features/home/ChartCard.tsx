import { ActionIcon, NativeSelect } from '@mantine/core'
import { IconChartBar, IconTable } from '@tabler/icons-react'
import { type ReactNode, Suspense, useState } from 'react'
import { part } from '../../ui/part.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { useWords } from '../../ui/words.ts'
import { ChartTable } from './ChartTable.tsx'
import classes from './Home.module.css'
import { homeWords } from './messages.ts'
import type { Series } from './series.ts'

/** Charts come when they are first drawn: the page is there without them. */
const Plot = part(async () => (await import('./Plot.tsx')).Plot)

export interface ChartCardProps<Choice extends string> {
  name: string
  choices: readonly { value: Choice; label: string }[]
  choice: Choice
  onChoice: (choice: Choice) => void
  /** The figure of the whole span, and what is to be said beside it. */
  figure: string | null
  beside: ReactNode
  /** More choices, as that of a currency. */
  more?: ReactNode
  shape: 'bars' | 'lines'
  days: readonly string[]
  /** Undefined while it is read. */
  series: readonly Series[] | undefined
  nameOf: (series: Series) => string
  format: (value: number) => string
}

/** A chart with its figure; the same values stand in a table for whoever would rather read them. */
export function ChartCard<Choice extends string>(props: ChartCardProps<Choice>) {
  const { name, choices, choice, onChoice, figure, beside, more, shape, days, series, nameOf, format } = props
  const t = useWords(homeWords)
  const [isTable, setTable] = useState(false)
  const isNone = series !== undefined && series.every(({ values }) => values.every((value) => value === null))
  const other = t(isTable ? 'asChart' : 'asTable')
  return (
    <section className={classes.chart} aria-label={name} aria-busy={!series}>
      <header>
        <NativeSelect
          className={classes.choice}
          aria-label={t('measure')}
          value={choice}
          data={[...choices]}
          onChange={(event) => onChoice(event.currentTarget.value as Choice)}
        />
        {more}
        {figure === null ? null : <strong>{figure}</strong>}
        <span className={classes.beside}>{beside}</span>
        <Tooltip label={other}>
          <ActionIcon aria-label={other} aria-pressed={isTable} disabled={isNone} onClick={() => setTable(!isTable)}>
            {isTable ? <IconChartBar size={15} /> : <IconTable size={15} />}
          </ActionIcon>
        </Tooltip>
      </header>
      <div className={classes.drawing}>
        {isNone ? <p className={classes.calm}>{t('nothing')}</p> : null}
        {series && !isNone && isTable ? (
          <ChartTable
            label={name}
            days={days}
            series={series}
            nameOf={nameOf}
            format={format}
            sums={shape === 'bars'}
          />
        ) : null}
        {series && !isNone && !isTable ? (
          <Suspense>
            <Plot
              label={t('chartOf', { name, summary: figure ?? '' })}
              shape={shape}
              days={days}
              series={series}
              nameOf={nameOf}
              format={format}
            />
          </Suspense>
        ) : null}
      </div>
    </section>
  )
}
