// Where an address in a document leads. Links between pages are written as paths of files, relative to the file that
// has them, as in the repository; a path may name a folder (its README) and may leave `.md` away.
import type { Content } from '../../engines/content/content.ts'
import type { Reference } from '../../engines/content/records.ts'
import { indexOf } from './index-of-content.ts'

/** An address by its form alone, before anybody looks whether something is there. */
export type Address =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'anchor'; readonly anchor: string }
  /** `candidates`: files it may mean, the first that exists wins; none when it leads out of the repository. */
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

const SCHEME = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i

/** What GitBook writes in place of a link whose page was deleted. */
const BROKEN = /^\/?broken(-reference)?(\/|$)/

/** Reads an address that stands in the file `fromFile` of the repository. */
export function readAddress(fromFile: string, destination: string): Address {
  const text = destination.trim()
  if (SCHEME.test(text)) return { kind: 'url', url: text }
  const hash = text.indexOf('#')
  const anchor = hash < 0 ? undefined : decode(text.slice(hash + 1))
  const path = decode((hash < 0 ? text : text.slice(0, hash)).replace(/\?.*$/, ''))
  if (path === '' && anchor !== undefined) return { kind: 'anchor', anchor }
  const withAnchor = anchor === undefined || anchor === '' ? {} : { anchor }
  if (BROKEN.test(path)) return { kind: 'path', candidates: [], ...withAnchor }
  return { kind: 'path', candidates: candidatesOf(fromFile, path), ...withAnchor }
}

function candidatesOf(fromFile: string, path: string): string[] {
  const file = joinFile(path.startsWith('/') ? '' : fromFile.split('/').slice(0, -1).join('/'), path)
  if (file === undefined) return []
  const folder = file === '' ? '' : `${file}/`
  const readmes = [`${folder}README.md`, `${folder}readme.md`, `${folder}index.md`]
  if (file === '' || path.endsWith('/')) return readmes
  return /\.md$/i.test(file) ? [file] : [file, `${file}.md`, ...readmes]
}

/** A path with its dots worked out; undefined when it leads above the top. */
function joinFile(folder: string, path: string): string | undefined {
  const parts: string[] = []
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts.join('/')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** What addresses in the file `fromFile` lead to in this content. */
export function targetFrom(content: Content, fromFile: string): (destination: string) => Target {
  const { byFile } = indexOf(content)
  return destination => {
    const address = readAddress(fromFile, destination)
    if (address.kind !== 'path') return address
    for (const candidate of address.candidates) {
      const found = byFile.get(candidate)
      if (found !== undefined) return { ...toTarget(found), anchor: address.anchor }
    }
    return { kind: 'broken' }
  }
}

function toTarget(reference: Extract<Reference, { kind: 'page' | 'file' | 'reusable-content' }>) {
  switch (reference.kind) {
    case 'page':
      return { kind: reference.kind, id: reference.page }
    case 'file':
      return { kind: reference.kind, id: reference.file }
    case 'reusable-content':
      return { kind: reference.kind, id: reference.reusableContent }
  }
}

/** The same as content references of the wire; undefined for what leads nowhere. */
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
