// References of pages that somebody wrote.
import type { Reference, Resolve } from '../../../src/engines/markdown/document/document.ts'

/** Every relative path leads to something, named by itself, so that it can be written again. */
export const resolve: Resolve = (destination, purpose) => {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(destination)) return undefined
  if (purpose === 'include') return { kind: 'reusable-content', reusableContent: destination }
  if (purpose === 'openapi') return { kind: 'openapi', spec: destination }
  if (purpose === 'image' || purpose === 'file') return { kind: 'file', file: destination }
  const [page, anchor] = [destination.split('#')[0]!, destination.split('#').slice(1).join('#')]
  if (destination.includes('#')) return { kind: 'anchor', anchor, ...(page === '' ? {} : { page }) }
  return page.endsWith('.md') ? { kind: 'page', page } : undefined
}

export function write(ref: Reference): string | undefined {
  switch (ref.kind) {
    case 'url':
      return ref.url
    case 'file':
      return ref.file
    case 'page':
      return ref.page
    case 'anchor':
      return `${ref.page ?? ''}#${ref.anchor}`
    case 'user':
      return `user/${ref.user}`
    case 'openapi':
      return ref.spec
    case 'reusable-content':
      return ref.reusableContent
  }
  return undefined
}
