import { language } from '../messages/messages.ts'

const UNITS = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
const exact = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' })

/** How long ago; the date and time on hover. `value` is ISO 8601. */
export const Time = ({ value }: { readonly value: string }) => (
  <time dateTime={value} title={exact.format(new Date(value))}>
    {sayAgo(Date.parse(value) - Date.now())}
  </time>
)

function sayAgo(milliseconds: number): string {
  const seconds = milliseconds / 1000
  for (const [unit, length] of UNITS)
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit)
  return relative.format(0, 'second')
}
