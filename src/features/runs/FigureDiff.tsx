import { count, priceOf, seconds } from '../../run/figures.ts'
import type { Turn } from '../../run/turn.ts'
import { type Column, Table } from '../../ui/Table.tsx'
import { compareFigures, type Figure } from '../../run/compare/figures.ts'
import { useWords } from '../../ui/words.ts'
import { runsWords } from './messages.ts'

/** What two runs took, side by side. */
export function FigureDiff({ before, after }: { before: Turn; after: Turn }) {
  const t = useWords(runsWords)
  const shown = (figure: Figure, turn: Turn, value: number | null) => {
    if (value === null) return null
    if (figure.name === 'price') return priceOf(turn.answer.usage?.total_price, turn.answer.usage?.currency)
    return isTime(figure) ? t('secondsShort', { seconds: seconds(value) }) : count(value)
  }
  const columns: Column<Figure>[] = [
    { head: t('figure'), cell: ({ name }) => t(NAMES[name]) },
    { head: t('earlier'), number: true, cell: (figure) => shown(figure, before, figure.before) },
    { head: t('later'), number: true, cell: (figure) => shown(figure, after, figure.after) },
    {
      head: t('difference'),
      number: true,
      cell: (figure) =>
        figure.change === null
          ? figure.before === null || figure.after === null
            ? '–'
            : t('otherCurrency')
          : signed(figure),
    },
  ]
  return (
    <Table label={t('figures')} columns={columns} rows={compareFigures(before, after)} keyOf={({ name }) => name} />
  )

  function signed(figure: Figure): string {
    const change = figure.change ?? 0
    const sign = change > 0 ? '+' : change < 0 ? '−' : '±'
    const size = Math.abs(change)
    // A price keeps what it has of digits, but not those that only come of subtracting.
    if (figure.name === 'price') return `${sign}${Number(size.toPrecision(9))}`
    return `${sign}${isTime(figure) ? t('secondsShort', { seconds: seconds(size) }) : count(size)}`
  }
}

const isTime = ({ name }: Figure): boolean => name === 'firstToken' || name === 'duration'

const NAMES = {
  firstToken: 'firstToken',
  duration: 'duration',
  promptTokens: 'promptTokens',
  completionTokens: 'completionTokens',
  tokens: 'tokens',
  price: 'price',
  frames: 'frames',
  characters: 'characters',
} as const satisfies Record<Figure['name'], string>
