// Days in words. UTC, so that a page looks the same wherever it is rendered.
import { type Html, html } from '../../base/html.ts'

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

export const dayInWords = (date: Date): string => DAY.format(date)

/** `<time>` with the day in words; nothing for an invalid date. */
export function renderDay(moment: string): Html | null {
  const date = new Date(moment)
  if (Number.isNaN(date.getTime())) return null
  return html`<time datetime="${date.toISOString()}">${DAY.format(date)}</time>`
}
