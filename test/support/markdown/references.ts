// References for properties, and how they are written and found again: each path says itself what it leads to.
import fc from 'fast-check'
import type { Reference, Resolve } from '../../../src/engines/markdown/document/document.ts'

/** Paths that say themselves what they lead to. */
export const path = (kind: string, end: string) =>
  fc
    .constantFrom(
      'a',
      'a b',
      'a(b',
      'ü中',
      'a"b',
      "a'b",
      'a&amp;b',
      'a\\b',
      'a*b_c',
      '[a]',
      '<a>',
      'a|b',
      '{%a%}',
      'a`b',
      '$$a',
    )
    .map(name => `${kind}/${name}${end}`)

const page = path('page', '.md').map((one): Reference => ({ kind: 'page', page: one }))
export const file = path('file', '.png').map((one): Reference => ({ kind: 'file', file: one }))
const url = fc
  .constantFrom(
    'https://x.example',
    'https://x.example/a_b*c?d=1&copy=2#e',
    'mailto:a@b.example',
    'https://x.example/(a)',
    'http://a/%20',
  )
  .map((one): Reference => ({ kind: 'url', url: one }))
export const reference = fc.oneof(page, file, url)
export const media = fc.oneof(file, url) as fc.Arbitrary<Extract<Reference, { kind: 'file' | 'url' }>>

export const resolve: Resolve = (destination, purpose) => {
  if (destination.startsWith('page/')) return { kind: 'page', page: destination }
  if (destination.startsWith('file/')) return { kind: 'file', file: destination }
  if (destination.startsWith('include/')) return { kind: 'reusable-content', reusableContent: destination }
  if (destination.startsWith('user/')) return { kind: 'user', user: destination.slice(5) }
  return purpose === 'openapi' ? { kind: 'openapi', spec: destination } : undefined
}
