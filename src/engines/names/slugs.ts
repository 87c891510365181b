// Slugs: the names of pages in addresses.
import { folderOf, isFolderPage, nameOf, withoutMarkdownEnding } from '../../base/paths.ts'

const SLUG_CHARACTERS_MAX = 100
/** For a slug that gets a number: a hyphen and seven digits follow. */
const STEM_CHARACTERS_MAX = 92
const FALLBACK = 'page'
/** The page of the whole project. */
const ROOT_SLUG = 'readme'

/**
 * Letters and digits of every script in lower case, with `.` and `_` kept inside; any run of other characters becomes a
 * hyphen. Never empty, never `.` or `..`, and free of separators that an address would have to escape.
 */
export function slugify(text: string): string {
  const slug = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}._]+/gu, '-')
    .replace(/^[-.]+/, '')
  return cut(slug, SLUG_CHARACTERS_MAX) || FALLBACK
}

/** What an address shows as it is, and every file system accepts. */
const PAGE_SLUG = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}._-]*$/u

/** The rule of `isPageSlug` in words. */
export const SLUG_RULE = `a slug has at most ${SLUG_CHARACTERS_MAX} letters, digits, ".", "_" and "-", begins with a letter, a digit or "_", and does not end with "."`

/** Whether a page may be given this slug. */
export const isPageSlug = (text: string): boolean =>
  PAGE_SLUG.test(text) && !text.endsWith('.') && text.length <= SLUG_CHARACTERS_MAX

/** At most `max` UTF-16 units, without half a character, a hyphen or a dot at the end. */
const cut = (slug: string, max: number): string => trimEnd(slug.slice(0, max).replace(/[\ud800-\udbff]$/, ''))

// A loop instead of /[-.]+$/, which tries every run of hyphens again from each of its characters.
function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && (text[end - 1] === '-' || text[end - 1] === '.')) end -= 1
  return text.slice(0, end)
}

/** Whether a slug is made from this title, with or without the number that tells it from those of its siblings. */
export function isSlugOf(slug: string, title: string): boolean {
  const wanted = slugify(title)
  const stem = `${cut(wanted, STEM_CHARACTERS_MAX)}-`
  return slug === wanted || (slug.startsWith(stem) && /^\d+$/.test(slug.slice(stem.length)))
}

/** The slug of a page by the file it has: its name, or its folder's name for README.md and index.md. */
export function slugOfFile(file: string): string {
  if (!isFolderPage(file)) return slugify(withoutMarkdownEnding(nameOf(file)))
  const folder = folderOf(file)
  return folder === '' ? ROOT_SLUG : slugify(nameOf(folder))
}

/** `wanted` is the slug that the page would have if it were alone; `held` is its current slug. */
export type SlugClaim = { readonly wanted: string; readonly held: string | undefined }

/**
 * One slug for each sibling, in order. A page keeps the slug it had, so that addresses last when others come and go;
 * the rest take what they want, or -1, -2 and so on if it is taken. Linear in the number of siblings.
 */
export function assignSlugs(siblings: readonly SlugClaim[]): string[] {
  const taken = new Set<string>()
  const slugs = siblings.map(({ held }) => {
    if (held === undefined || held === '' || taken.has(held)) return undefined
    taken.add(held)
    return held
  })
  const next = new Map<string, number>()
  return slugs.map((slug, index) => {
    if (slug !== undefined) return slug
    const wanted = siblings[index]?.wanted ?? FALLBACK
    const stem = cut(wanted, STEM_CHARACTERS_MAX)
    let free = wanted
    for (let number = next.get(stem) ?? 1; taken.has(free); number += 1) {
      free = `${stem}-${number}`
      next.set(stem, number + 1)
    }
    taken.add(free)
    return free
  })
}
