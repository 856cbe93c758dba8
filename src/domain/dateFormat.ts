/** The only format of dates and times, in every browser: 22 Nov 2026, 14:03, in the person's time zone. */

const DATE_FORMAT = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const TIME_FORMAT = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const EXACT_TIME_FORMAT = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
})
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

type Moment = Date | string | number

/** A platform may send an invalid time, such as microseconds for seconds: it is shown as received. */
function format(at: Moment, ...formats: Intl.DateTimeFormat[]): string {
  const date = at instanceof Date ? at : new Date(at)
  return Number.isNaN(date.getTime()) ? String(at) : formats.map((one) => one.format(date)).join(', ')
}

/** `22 Nov 2026` */
export const formatDate = (at: Moment): string => format(at, DATE_FORMAT)

/** `14:03` */
export const formatTime = (at: Moment): string => format(at, TIME_FORMAT)

/** `22 Nov 2026, 14:03` */
export const formatDateTime = (at: Moment): string => format(at, DATE_FORMAT, TIME_FORMAT)

/** `22 Nov 2026, 14:03:12 UTC` */
export const formatExactTime = (at: Moment): string => format(at, DATE_FORMAT, EXACT_TIME_FORMAT)

const WRITTEN_PATTERN = /^(\d{1,2})\s+([a-z]{3})[a-z]*\.?\s+(\d{4})(?:,?\s+(\d{1,2}):(\d{2}))?$/i
const ISO_PATTERN = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{1,2}):(\d{2}))?$/

/** A date as written by `formatDateTime`, or as 2026-11-22 14:03; null for other text. */
export function parseDateTime(text: string): Date | null {
  const written = WRITTEN_PATTERN.exec(text.trim())
  const iso = ISO_PATTERN.exec(text.trim())
  if (written)
    return toExistingDate(
      Number(written[3]),
      MONTHS.indexOf(written[2]?.toLowerCase() ?? ''),
      Number(written[1]),
      written,
    )
  return iso ? toExistingDate(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]), iso) : null
}

/** Null for the 31st of a shorter month, and for invalid times. */
function toExistingDate(year: number, month: number, day: number, match: RegExpExecArray): Date | null {
  const [hours, minutes] = [Number(match[4] ?? 0), Number(match[5] ?? 0)]
  const date = new Date(year, month, day, hours, minutes)
  return month >= 0 && date.getMonth() === month && date.getDate() === day && hours < 24 && minutes < 60 ? date : null
}
