import { ActionIcon, Box, Group, NativeSelect, Paper, Text } from '@mantine/core'
import { IconChartBar, IconTable } from '@tabler/icons-react'
import { type ReactNode, Suspense, useState } from 'react'
import { lazyWithPreload } from '../layout/lazyWithPreload.tsx'
import { Tooltip } from '../overlays/Tooltip.tsx'
import { useMessages } from '../i18n/useMessages.ts'
import { ChartTable } from './ChartTable.tsx'
import { chartMessages } from './chartMessages.ts'
import type { ChartSeries } from './chartSeries.ts'

/** Charts load lazily: the page renders without them. */
const LazyChartPlot = lazyWithPreload(async () => (await import('./ChartPlot.tsx')).ChartPlot)

export interface ChartCardProps<Choice extends string> {
  name: string
  options: readonly { value: Choice; label: string }[]
  selected: Choice
  onSelect: (choice: Choice) => void
  /** The total of the period, and its note. */
  total: string | null
  totalSuffix: ReactNode
  /** More choices, as that of a currency. */
  controls?: ReactNode
  shape: 'bars' | 'lines'
  /** What the values belong to, oldest first, and the head of that column: days, or experiments. */
  points: readonly string[]
  pointHead: string
  formatPoint: (point: string) => string
  /** Undefined while it is read. */
  series: readonly ChartSeries[] | undefined
  format: (value: number) => string
  /** The end of the axis; without it that of the values. */
  max?: number | undefined
}

/** A chart with its total; a table with the same values is the accessible alternative. */
export function ChartCard<Choice extends string>(props: ChartCardProps<Choice>) {
  const {
    name,
    options,
    selected,
    onSelect,
    total,
    totalSuffix,
    controls,
    shape,
    points,
    pointHead,
    formatPoint,
    series,
    format,
    max,
  } = props
  const t = useMessages(chartMessages)
  const [isTable, setTable] = useState(false)
  const isEmpty = series !== undefined && series.every(({ values }) => values.every((value) => value === null))
  const other = t(isTable ? 'asChart' : 'asTable')
  return (
    <Paper component="section" radius={8} px={14} py="md" miw={0} aria-label={name} aria-busy={!series}>
      <Group component="header" gap="4px 10px" mih={32}>
        <NativeSelect
          styles={{ input: { fontWeight: 600 } }}
          aria-label={t('measure')}
          value={selected}
          data={[...options]}
          onChange={(event) => onSelect(event.currentTarget.value as Choice)}
        />
        {controls}
        {total === null ? null : (
          <Text component="strong" fz="xl" fw="bold" style={{ fontVariantNumeric: 'tabular-nums' }}>
            {total}
          </Text>
        )}
        <Text span fz="sm" c="dimmed">
          {totalSuffix}
        </Text>
        <Tooltip label={other}>
          <ActionIcon
            ml="auto"
            aria-label={other}
            aria-pressed={isTable}
            disabled={isEmpty}
            onClick={() => setTable(!isTable)}
          >
            {isTable ? <IconChartBar size={15} /> : <IconTable size={15} />}
          </ActionIcon>
        </Tooltip>
      </Group>
      <Box mih={204} mah={300} mt={6} style={{ overflow: 'auto' }}>
        {isEmpty ? (
          <Text py="sm" fz={13} c="dimmed">
            {t('noData')}
          </Text>
        ) : null}
        {series && !isEmpty && isTable ? (
          <ChartTable
            label={name}
            points={points}
            pointHead={pointHead}
            formatPoint={formatPoint}
            series={series}
            format={format}
            hasTotals={shape === 'bars'}
          />
        ) : null}
        {series && !isEmpty && !isTable ? (
          <Suspense>
            <LazyChartPlot
              label={t('chartOf', { name, summary: total ?? '' })}
              shape={shape}
              points={points}
              formatPoint={formatPoint}
              series={series}
              format={format}
              max={max}
            />
          </Suspense>
        ) : null}
      </Box>
    </Paper>
  )
}
