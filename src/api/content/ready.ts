// Answers about content that are made once and kept as bytes.

import type { CachedBody } from '../../http/cached-body.ts'
import type { Context } from '../../http/context.ts'
import type { ContentAt } from './place.ts'

/**
 * The body that answers `question` about this content, made at most once; equal content has equal answers. Visitors
 * are shown less than members, and a change request leads to its preview, so they have answers of their own.
 */
export const ready = async (
  context: Context,
  at: ContentAt,
  question: unknown,
  build: () => Promise<unknown>,
): Promise<CachedBody> =>
  context.bodies.get(
    `${at.space.id} ${at.changeRequest?.id ?? ''} ${at.root} ${await context.contents.digest(at.space.id, at.root)} ${at.isMember} ${JSON.stringify(question)}`,
    build,
  )
