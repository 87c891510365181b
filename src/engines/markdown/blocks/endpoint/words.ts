// What an endpoint that is written out in the page, or a part of it, is called.
import type { BlockData } from '../../reading/reading.ts'

type Data = BlockData<'endpoint'>

/** `GET https://example.com/users`; '' for a part. */
export const addressOf = ({ method = '', baseUrl = '', path = '' }: Data): string =>
  `${method.toUpperCase()} ${baseUrl}${path}`.trim()

/** Whatever says what a part is. */
export const titleOf = ({ name, status, type, summary, title, description }: Data): string =>
  [name, status, type, summary, title, description].filter(words => words !== undefined).join(' ')
