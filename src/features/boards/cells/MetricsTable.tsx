import { Text } from '@mantine/core'
import { compareSources } from '../../runs/compare/compareRuns.ts'
import { formatTurnFigure, readTurnFigures, TURN_FIGURES, type TurnFigure } from '../../runs/turnFigures.ts'
import { collectSources } from '#domain/answer/collectSources.ts'
import { formatCount, formatPrice } from '#domain/metricFormat.ts'
import { type Turn, isTurnOver } from '../../runs/turn.ts'
import { type TableColumn, Table } from '../../../components/data/Table.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from '../Board.module.css'
import { boardMessages } from '../messages.ts'
import { isSuccessStatus } from '#contract/console/runs.ts'

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

  function shown(name: TurnFigure, value: number, currency: string | null | undefined): string {
    if (name === 'price') return formatPrice(String(value), currency) ?? ''
    return formatTurnFigure(name, value, t)
  }

  function signed(name: TurnFigure, change: number): string {
    const sign = change > 0 ? '+' : change < 0 ? '−' : '±'
    return `${sign}${shown(name, Math.abs(change), null)}`
  }
}

function StackedValue({ value, suffix, change }: { value: string; suffix: string | null; change: string | null }) {
  return (
    <span className={classes.stack}>
      <span>{value}</span>
      {suffix ? <small>{suffix}</small> : null}
      {change ? (
        <Text span inherit c="dimmed" fz="xs">
          {change}
        </Text>
      ) : null}
    </span>
  )
}

/** One metric over those rounds of a cell that have it. */
export interface MetricRange {
  min: number
  median: number
  max: number
  count: number
}

/** The metrics of a cell's rounds, and how far their answers agree. */
export interface CellMetrics {
  /** Rounds that have ended, and those of them that succeeded. */
  finished: number
  succeeded: number
  metrics: Record<TurnFigure, MetricRange | null>
  /** The currency of the prices: undefined where none was given, null where they are in more than one. */
  currency: string | null | undefined
  price: string | null
  /** How many of the answers were one and the same, and how many different ones there were; null without an answer. */
  agreement: { same: number; kinds: number } | null
}

export function summarizeTurns(turns: readonly Turn[]): CellMetrics {
  const finishedTurns = turns.filter(isTurnOver)
  const metrics = finishedTurns.map(readTurnFigures)
  const succeeded = finishedTurns.filter(({ state }) => isSuccessStatus(state))
  const currencies = new Set(
    finishedTurns.flatMap(({ answer: { usage } }) => (usage?.total_price ? [usage.currency ?? ''] : [])),
  )
  const currency = currencies.size > 1 ? null : [...currencies][0]
  const spreads = Object.fromEntries(
    (Object.keys(TURN_FIGURES) as TurnFigure[]).map((name) => [
      name,
      // Prices of two currencies have no median.
      name === 'price' && currency === null ? null : toMetricRange(metrics.map((one) => one[name])),
    ]),
  ) as CellMetrics['metrics']
  return {
    finished: finishedTurns.length,
    succeeded: succeeded.length,
    metrics: spreads,
    currency,
    price: finishedTurns.find(({ answer }) => answer.usage?.total_price)?.answer.usage?.total_price ?? null,
    agreement: getAgreement(succeeded),
  }
}

/** Minimum, median and maximum of the given numbers; null without any. */
export function toMetricRange(values: readonly (number | null)[]): MetricRange | null {
  const numbers = values.filter((value) => value !== null).sort((one, two) => one - two)
  const middle = numbers.length / 2
  const [low, high] = [numbers[Math.ceil(middle) - 1], numbers[Math.floor(middle)]]
  const [min, max] = [numbers[0], numbers.at(-1)]
  if (low === undefined || high === undefined || min === undefined || max === undefined) return null
  return { min, median: low + (high - low) / 2, max, count: numbers.length }
}

/** The change of a median from the baseline's; null if they are not comparable. */
export function getMedianChange(name: TurnFigure, baseline: CellMetrics, other: CellMetrics): number | null {
  const [before, after] = [baseline.metrics[name], other.metrics[name]]
  if (!before || !after || (name === 'price' && baseline.currency !== other.currency)) return null
  return after.median - before.median
}

function getAgreement(turns: readonly Turn[]): CellMetrics['agreement'] {
  const counts = new Map<string, number>()
  for (const turn of turns) counts.set(toAnswerText(turn), (counts.get(toAnswerText(turn)) ?? 0) + 1)
  return counts.size === 0 ? null : { same: Math.max(...counts.values()), kinds: counts.size }
}

/** What counts as the answer: the outputs of a workflow, else the words. */
const toAnswerText = ({ answer }: Turn): string => JSON.stringify(answer.run.outputs ?? answer.text)
