import '@mantine/charts/styles.css'
import { BarChart, LineChart } from '@mantine/charts'
import classes from './Charts.module.css'
import { OTHER_SERIES_NAME, type ChartSeries, isIsolatedPoint } from './chartSeries.ts'

export interface ChartPlotProps {
  label: string
  shape: 'bars' | 'lines'
  points: readonly string[]
  formatPoint: (point: string) => string
  series: readonly ChartSeries[]
  format: (value: number) => string
  /** The end of the axis; without it that of the values. */
  max?: number | undefined
}

const CHART_HEIGHT_PX = 170
const BAR_COLORS = ['var(--series-1)', 'var(--series-2)', 'var(--series-3)', 'var(--line-2)']
const LINE_COLORS = ['var(--series-1)', 'var(--interrupted-solid)']

/** Stacked bars, or lines. The names of the series are shown above, since color must not be the only distinction. */
export function ChartPlot({ label, shape, points, formatPoint, series, format, max }: ChartPlotProps) {
  const data = points.map((point, index) => ({
    point,
    ...Object.fromEntries(series.map(({ name, values }) => [name, values[index] ?? null])),
  }))
  const colors = shape === 'bars' ? BAR_COLORS : LINE_COLORS
  const drawn = series.map((one, index) => ({
    name: one.name,
    label: one.label,
    color:
      (one.name === OTHER_SERIES_NAME ? BAR_COLORS.at(-1) : colors[Math.min(index, colors.length - 1)]) ??
      'var(--series-3)',
    ...(shape === 'lines' && index > 0 ? { strokeDasharray: '5 4' } : {}),
  }))
  const shared = {
    h: CHART_HEIGHT_PX,
    data,
    dataKey: 'point',
    series: drawn,
    valueFormatter: format,
    gridAxis: 'x' as const,
    tickLine: 'none' as const,
    xAxisProps: { tickFormatter: formatPoint, interval: 'preserveStartEnd' as const, minTickGap: 24 },
    yAxisProps: { width: 56, ...(max === undefined ? { tickCount: 4 } : { domain: [0, max], tickCount: 5 }) },
    tooltipAnimationDuration: 0,
    // Asked for once before there is a point to name.
    tooltipProps: {
      labelFormatter: (point: unknown) => (typeof point === 'string' && point !== '' ? formatPoint(point) : ''),
    },
  }
  return (
    <div className={classes.plot} role="group" aria-label={label}>
      <ul className={classes.legend}>
        {drawn.map((one) => (
          <li key={one.name}>
            <i style={{ background: one.color }} />
            {one.label}
          </li>
        ))}
      </ul>
      {shape === 'bars' ? (
        <BarChart {...shared} type="stacked" maxBarWidth={26} barProps={{ isAnimationActive: false }} />
      ) : (
        <LineChart
          {...shared}
          curveType="monotone"
          withDots={series.some(isIsolatedPoint)}
          lineProps={{ isAnimationActive: false }}
          // The dot of the last point is whole.
          lineChartProps={{ margin: { right: 6 } }}
        />
      )}
    </div>
  )
}
