import { collectSources } from '#domain/answer/collectSources.ts'
import { formatCount, formatPrice, formatSeconds } from '#domain/metricFormat.ts'
import { type ComparedMetric, compareSources } from '../../runs/compare/compareRuns.ts'
import type { Turn } from '../../runs/turn.ts'
import { Table, type TableColumn } from '../../../components/data/Table.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from '../Board.module.css'
import { boardMessages } from '../messages.ts'
import { type CellMetrics, getMedianChange } from './cellMetrics.ts'

/** A cell as the table of figures has it. */
export interface MetricsRow {
  id: string
  letter: string
  name: string
  isBaseline: boolean
  /** How many rounds it has, ended or not. */
  rounds: number
  summary: CellMetrics
  /** The round that is shown, once it is over. */
  shown: Turn | null
}

const METRIC_NAMES = ['firstToken', 'duration', 'promptTokens', 'completionTokens', 'tokens', 'price'] as const

/** The metrics of each cell over all its rounds, compared with the baseline. */
export function MetricsTable({ rows }: { rows: readonly MetricsRow[] }) {
  const t = useMessages(boardMessages)
  const baseline = rows.find(({ isBaseline }) => isBaseline)
  const columns: TableColumn<MetricsRow>[] = [
    {
      header: t('cells'),
      cell: ({ letter, name, isBaseline }) => (
        <>
          <b className={classes.letter}>{letter}</b> {name} {isBaseline ? <small>{t('baseline')}</small> : null}
        </>
      ),
    },
    ...METRIC_NAMES.map((name) => ({
      header: t(name),
      isNumeric: true,
      cell: (row: MetricsRow) => (row.summary.finished === 0 ? t('none') : metric(name, row)),
    })),
    { header: t('sources'), isNumeric: true, cell: (row) => sources(row) },
    {
      header: t('equal'),
      isNumeric: true,
      cell: ({ summary: { agreement, succeeded, finished: finishedTurns }, rounds }) => (
        <StackedValue
          value={agreement && succeeded > 1 ? t('equalOf', { same: agreement.same, all: succeeded }) : t('none')}
          suffix={agreement && succeeded > 1 ? t('equalKinds', { kinds: agreement.kinds }) : null}
          change={
            finishedTurns < rounds
              ? t('endedOf', { over: finishedTurns, all: rounds })
              : succeeded < finishedTurns
                ? t('succeededOf', { succeeded, all: rounds })
                : null
          }
        />
      ),
    },
  ]
  return <Table label={t('statistics')} columns={columns} rows={rows} getKey={({ id }) => id} />

  function metric(name: (typeof METRIC_NAMES)[number], { summary, isBaseline }: MetricsRow) {
    const spread = summary.metrics[name]
    if (!spread) return name === 'price' && summary.currency === null ? t('currencies') : null
    const { min, median, max } = spread
    const show = (value: number) => shown(name, value, summary.currency)
    const change = baseline && !isBaseline ? getMedianChange(name, baseline.summary, summary) : null
    const isForeign = name === 'price' && baseline?.summary.metrics.price && change === null && !isBaseline
    return (
      <StackedValue
        value={name === 'price' && min === max ? (formatPrice(summary.price, summary.currency) ?? '') : show(median)}
        suffix={min === max ? null : t('range', { min: show(min), max: show(max) })}
        change={isForeign ? t('otherCurrency') : change === null ? null : signed(name, change)}
      />
    )
  }

  function sources({ shown: turn, isBaseline }: MetricsRow) {
    if (!turn) return t('none')
    const sources = collectSources(turn.answer)
    const ownSources = formatCount(sources.length)
    if (isBaseline || !baseline?.shown) return ownSources
    const changes = compareSources(collectSources(baseline.shown.answer), sources)
    const [gainedSources, lostSources] = ['gained', 'lost'].map(
      (kind) => changes.filter((one) => one.kind === kind).length,
    )
    return (
      <StackedValue
        value={ownSources}
        suffix={null}
        change={t('gainedLost', { gained: gainedSources ?? 0, lost: lostSources ?? 0 })}
      />
    )
  }

  function shown(name: ComparedMetric['name'], value: number, currency: string | null | undefined): string {
    if (name === 'price') return formatPrice(String(value), currency) ?? ''
    if (name === 'firstToken' || name === 'duration') return t('secondsShort', { seconds: formatSeconds(value) })
    return formatCount(value)
  }

  function signed(name: ComparedMetric['name'], change: number): string {
    const sign = change > 0 ? '+' : change < 0 ? '−' : '±'
    return `${sign}${shown(name, Math.abs(change), null)}`
  }
}

function StackedValue({ value, suffix, change }: { value: string; suffix: string | null; change: string | null }) {
  return (
    <span className={classes.stack}>
      <span>{value}</span>
      {suffix ? <small>{suffix}</small> : null}
      {change ? <small className={classes.change}>{change}</small> : null}
    </span>
  )
}
