import { formatExactPrice, formatPrice } from '#domain/metricFormat.ts'

export interface PriceProps {
  price: string | null | undefined
  currency: string | null | undefined
}

/** A price rounded for reading, with all its digits in the title. */
export function Price({ price, currency }: PriceProps) {
  const shown = formatPrice(price, currency)
  return shown === null ? null : <span title={formatExactPrice(price, currency) ?? undefined}>{shown}</span>
}
