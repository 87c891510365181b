// Where an address in a document leads. Links between pages are written as paths relative to the file they are in, as
// in the repository; a path may name a folder (its README) and may omit `.md`.
import type { Content } from '../../engines/content/content.ts'
import type { Reference } from '../../engines/content/records.ts'
import { resolveFromPage } from '../../engines/markdown/page/page.ts'
import { indexOf } from './index-of-content.ts'

/** An address judged by its form alone; its target may not exist. */
export type Address =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'anchor'; readonly anchor: string }
  /** `candidates`: files it may mean; the first that exists wins. Empty if it leads out of the repository. */
  | { readonly kind: 'path'; readonly candidates: readonly string[]; readonly anchor?: string }

/** Where an address leads in one revision. */
export type Target =
  | { readonly kind: 'url'; readonly url: string; readonly anchor?: never }
  | { readonly kind: 'anchor'; readonly anchor: string }
  | {
      readonly kind: 'page' | 'file' | 'reusable-content'
      readonly id: string
      readonly anchor?: string | undefined
    }
  | { readonly kind: 'space'; readonly id: string; readonly anchor?: never }
  | { readonly kind: 'broken'; readonly anchor?: never }

/** Reads an address in the file `fromFile` of the repository. */
export function readAddress(fromFile: string, destination: string): Address {
  const text = destination.trim()
  if (text.startsWith('#')) return { kind: 'anchor', anchor: text.slice(1) }
  const candidates: string[] = []
  const resolved = resolveFromPage(fromFile, text, file => {
    candidates.push(file)
    return false
  })
  if (resolved.type === 'url') return { kind: 'url', url: resolved.url }
  return { kind: 'path', candidates, ...(resolved.anchor === null ? {} : { anchor: resolved.anchor }) }
}

/** The page, file or reusable content at a path of the repository. */
export type ContentReference = Extract<Reference, { kind: 'page' | 'file' | 'reusable-content' }>

/** What addresses in the file `fromFile` lead to in this content. */
export const targetFrom = (content: Content, fromFile: string): ((destination: string) => Target) => {
  const { byFile } = indexOf(content)
  return targetBy(file => byFile.get(file), fromFile)
}

/** The same with a known index of paths. */
export const targetBy =
  (
    find: (file: string) => ContentReference | undefined,
    fromFile: string,
  ): ((destination: string) => Target) =>
  destination => {
    const text = destination.trim()
    if (text.startsWith('#')) return { kind: 'anchor', anchor: text.slice(1) }
    const resolved = resolveFromPage(fromFile, text, file => find(file) !== undefined)
    if (resolved.type === 'url') return { kind: 'url', url: resolved.url }
    const found = resolved.type === 'file' ? find(resolved.file) : undefined
    if (found === undefined) return { kind: 'broken' }
    const { anchor } = resolved
    return anchor === null ? toTarget(found) : { ...toTarget(found), anchor }
  }

function toTarget(reference: ContentReference) {
  switch (reference.kind) {
    case 'page':
      return { kind: reference.kind, id: reference.page }
    case 'file':
      return { kind: reference.kind, id: reference.file }
    case 'reusable-content':
      return { kind: reference.kind, id: reference.reusableContent }
  }
}

/** The same as content references of the wire; undefined if an address leads nowhere. */
export function resolverFrom(
  content: Content,
  fromFile: string,
): (destination: string) => Reference | undefined {
  const target = targetFrom(content, fromFile)
  return destination => toReference(target(destination))
}

export function toReference(target: Target): Reference | undefined {
  switch (target.kind) {
    case 'url':
      return { kind: 'url', url: target.url }
    case 'anchor':
      return { kind: 'anchor', anchor: target.anchor }
    case 'page':
      return target.anchor === undefined
        ? { kind: 'page', page: target.id }
        : { kind: 'anchor', anchor: target.anchor, page: target.id }
    case 'file':
      return { kind: 'file', file: target.id }
    case 'reusable-content':
      return { kind: 'reusable-content', reusableContent: target.id }
    case 'space':
      return { kind: 'space', space: target.id }
    case 'broken':
      return undefined
  }
}
