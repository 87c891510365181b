// The shell around every page of the reader, for one visitor.
import type { FastifyRequest } from 'fastify'
import type { Principal } from '../access/principal.ts'
import type { Assets } from './assets.ts'
import type { Shell } from './layout/view.ts'
import { themeOf } from './session.ts'

export const shellOf = (
  { assets }: { readonly assets: Assets },
  request: FastifyRequest,
  visitor: Principal,
): Shell => ({
  theme: themeOf(request),
  visitor: visitor.kind === 'user' ? { id: visitor.user.id, name: visitor.user.display_name } : null,
  signInHref: signInHref(request.url),
  assets: assets.paths,
})

/** Returns to `path` after signing in. */
export const signInHref = (path: string): string => `/sign-in?next=${encodeURIComponent(path)}`
