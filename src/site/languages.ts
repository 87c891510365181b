// In which language a page of this server speaks to the person in front of it, where it speaks more than one.
import type { FastifyRequest } from 'fastify'
import { parseQualityValues } from '../http/quality-values.ts'

export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

/** The one that the browser prefers (RFC 9110 §12.5.4); English if it prefers none of them. */
export function languageOf({ headers }: Pick<FastifyRequest, 'headers'>): Language {
  let best: Language = 'en'
  let most = 0
  for (const [range, weight] of parseQualityValues(headers['accept-language'] ?? '')) {
    const language = LANGUAGES.find(one => one === range.split('-')[0])
    if (language === undefined || weight <= most) continue
    best = language
    most = weight
  }
  return best
}
