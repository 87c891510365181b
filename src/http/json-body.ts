// JSON bodies, as clients send them: perhaps none at all, never so deep that walking them costs the stack, and of whole
// characters.
import type { FastifyInstance } from 'fastify'
import { invalid } from '../base/errors.ts'
import { nestsDeeperThan } from '../base/json-depth.ts'
import { createBodyBudget } from './body-budget.ts'

// A rich document may take 320 levels, and stands in something.
export const BODY_LEVELS_MAX = 500

/** Clients send `Content-Type: application/json` with no body on merge, restore, ping and every DELETE. */
export function readJsonBodies(app: FastifyInstance, budget = createBodyBudget(app)): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body as string
    if (text.length === 0) done(null, undefined)
    else if (nestsDeeperThan(text, BODY_LEVELS_MAX)) done(tooDeep())
    else {
      try {
        budget.take(request, text.length)
      } catch (error) {
        return done(error as Error)
      }
      parse(request, text, (error, value) => {
        const half = error === null && HALF.test(text) ? findHalf(value, 'body') : undefined
        done(half === undefined ? error : halfOfCharacter(half), value)
      })
    }
  })
}

// Half of a surrogate pair can only be written as an escape; a pair of escapes looks the same.
const HALF = /\\u[dD][89a-fA-F]/

/**
 * Where the first text stands that has half of a surrogate pair. UTF-8 has no such thing: stored, it would silently
 * become another text. A name of a member counts as a text that stands where the object does.
 */
function findHalf(value: unknown, where: string): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : where
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inside] of Object.entries(value)) {
    const half = name.isWellFormed() ? findHalf(inside, `${where}.${name}`) : where
    if (half !== undefined) return half
  }
  return undefined
}

const halfOfCharacter = (where: string) =>
  invalid(
    'text_invalid',
    `${where}: this text has half of a character (a lone surrogate). Send whole characters.`,
  )

const tooDeep = () =>
  invalid('body_too_deep', `body: it is nested more than ${BODY_LEVELS_MAX} levels deep. Make it flatter.`)
