import type { Figure } from '../../run/compare/figures.ts'
import { compareSources, sourcesOf } from '../../run/compare/sources.ts'
import { count, priceOf, seconds } from '../../run/figures.ts'
import type { Turn } from '../../run/turn.ts'
import { type Column, Table } from '../../ui/Table.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './Board.module.css'
import { compareWords } from './messages.ts'
import { changeOf, type Summary } from './spread.ts'

/** A cell as the table of figures has it. */
export interface FigureRow {
  id: string
  letter: string
  name: string
  isBaseline: boolean
  /** How many rounds it has, ended or not. */
  rounds: number
  summary: Summary
  /** The round that is shown, once it is over. */
  shown: Turn | null
}

const FIGURES = ['firstToken', 'duration', 'promptTokens', 'completionTokens', 'tokens', 'price'] as const

/** What each cell took, over all its rounds, beside what the baseline took. */
export function FigureTable({ rows }: { rows: readonly FigureRow[] }) {
  const t = useWords(compareWords)
  const baseline = rows.find(({ isBaseline }) => isBaseline)
  const columns: Column<FigureRow>[] = [
    {
      head: t('cells'),
      cell: ({ letter, name, isBaseline }) => (
        <>
          <b className={classes.letter}>{letter}</b> {name} {isBaseline ? <small>{t('baseline')}</small> : null}
        </>
      ),
    },
    ...FIGURES.map((name) => ({
      head: t(name),
      number: true,
      cell: (row: FigureRow) => (row.summary.over === 0 ? t('none') : figure(name, row)),
    })),
    { head: t('sourcesChange'), number: true, cell: (row) => sources(row) },
    {
      head: t('equal'),
      number: true,
      cell: ({ summary: { agreement, succeeded, over }, rounds }) => (
        <Stack
          value={agreement && succeeded > 1 ? t('equalOf', { same: agreement.same, all: succeeded }) : t('none')}
          beside={agreement && succeeded > 1 ? t('equalKinds', { kinds: agreement.kinds }) : null}
          change={
            over < rounds
              ? t('endedOf', { over, all: rounds })
              : succeeded < over
                ? t('succeededOf', { succeeded, all: rounds })
                : null
          }
        />
      ),
    },
  ]
  return <Table label={t('figures')} columns={columns} rows={rows} keyOf={({ id }) => id} />

  function figure(name: (typeof FIGURES)[number], { summary, isBaseline }: FigureRow) {
    const spread = summary.figures[name]
    if (!spread) return name === 'price' && summary.currency === null ? t('currencies') : null
    const { min, median, max } = spread
    const show = (value: number) => shown(name, value, summary.currency)
    const change = baseline && !isBaseline ? changeOf(name, baseline.summary, summary) : null
    const isForeign = name === 'price' && baseline?.summary.figures.price && change === null && !isBaseline
    return (
      <Stack
        // One price is shown as the platform wrote it.
        value={name === 'price' && min === max ? (priceOf(summary.price, summary.currency) ?? '') : show(median)}
        beside={min === max ? null : t('range', { min: show(min), max: show(max) })}
        change={isForeign ? t('otherCurrency') : change === null ? null : signed(name, change)}
      />
    )
  }

  function sources({ shown: turn, isBaseline }: FigureRow) {
    if (!turn) return t('none')
    const sources = sourcesOf(turn.answer)
    const own = count(sources.length)
    if (isBaseline || !baseline?.shown) return own
    const changes = compareSources(sourcesOf(baseline.shown.answer), sources)
    const [gained, lost] = ['gained', 'lost'].map((kind) => changes.filter((one) => one.kind === kind).length)
    return <Stack value={own} beside={null} change={t('gainedLost', { gained: gained ?? 0, lost: lost ?? 0 })} />
  }

  function shown(name: Figure['name'], value: number, currency: string | null | undefined): string {
    if (name === 'price') return priceOf(rounded(value), currency) ?? ''
    if (name === 'firstToken' || name === 'duration') return t('secondsShort', { seconds: seconds(value) })
    return count(value)
  }

  function signed(name: Figure['name'], change: number): string {
    const sign = change > 0 ? '+' : change < 0 ? '−' : '±'
    return `${sign}${name === 'price' ? rounded(Math.abs(change)) : shown(name, Math.abs(change), null)}`
  }
}

/** A price keeps what it has of digits, but not those that only come of reckoning. */
const rounded = (price: number): string =>
  Number(price.toPrecision(9)).toLocaleString('en', { maximumFractionDigits: 15, useGrouping: false })

function Stack({ value, beside, change }: { value: string; beside: string | null; change: string | null }) {
  return (
    <span className={classes.stack}>
      <span>{value}</span>
      {beside ? <small>{beside}</small> : null}
      {change ? <small className={classes.change}>{change}</small> : null}
    </span>
  )
}
