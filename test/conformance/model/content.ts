// A model of content and of its merge, small enough to be right at a glance: a page is a set of paragraphs that nobody
// changes, each with a word of its own, and one disputed paragraph that everybody changes. What becomes of two versions
// is then said by sets, without blocks, lines or tries.

export type Paragraph = string

export type ModelPage = {
  /** Chapters are at the root and stay there; only they have pages below them. */
  readonly isChapter: boolean
  readonly title: string
  /** A chapter, or null for the root: the tree has two levels. */
  readonly parent: string | null
  /** What the disputed paragraph says. */
  readonly disputed: string
  /** In their order. */
  readonly paragraphs: readonly Paragraph[]
}

/** Pages by id. */
export type ModelContent = ReadonlyMap<string, ModelPage>

/** Where both sides meant something else: `existence`, `title`, `parent` or `disputed`. */
export type ModelConflict = { readonly page: string; readonly field: string }

export type Take = 'ours' | 'theirs' | 'base'

export const EMPTY: ModelContent = new Map()

/**
 * The merge of two versions where everything disputed is settled alike, and what was disputed. undefined where this model
 * is too small: both sides brought back one page, each otherwise, or a page has no place left.
 */
export function mergeModels(
  base: ModelContent,
  ours: ModelContent,
  theirs: ModelContent,
  take: Take,
): { content: ModelContent; conflicts: ModelConflict[] } | undefined {
  const conflicts: ModelConflict[] = []
  const merged = new Map<string, ModelPage>()
  const { versions, tops } = settleExistence({ base, ours, theirs }, take)
  for (const page of tops) conflicts.push({ page, field: 'existence' })
  for (const id of new Set([...base.keys(), ...ours.keys(), ...theirs.keys()])) {
    const [b, o, t] = [base.get(id), ours.get(id), theirs.get(id)]
    const version = versions.get(id)
    if (version !== undefined) {
      const settled = { base: b, ours: o, theirs: t }[version]
      if (settled !== undefined) merged.set(id, settled)
    } else if (o !== undefined && t !== undefined && b !== undefined) {
      const field = <K extends 'title' | 'parent'>(name: K): ModelPage[K] => {
        if (o[name] === t[name] || t[name] === b[name]) return o[name]
        if (o[name] === b[name]) return t[name]
        conflicts.push({ page: id, field: name })
        return { base: b, ours: o, theirs: t }[take][name]
      }
      const { clashes, ...texts } = mergeTexts({ base: b, ours: o, theirs: t }, take)
      for (let clash = 0; clash < clashes; clash++) conflicts.push({ page: id, field: 'disputed' })
      merged.set(id, { isChapter: b.isChapter, title: field('title'), parent: field('parent'), ...texts })
    } else if (b === undefined) {
      if (o !== undefined && t !== undefined && !isSame(o, t)) return undefined
      merged.set(id, (o ?? t) as ModelPage)
    }
  }
  const content = withPlaces(merged, { base, ours, theirs })
  return content && { content, conflicts }
}

type Texts = Pick<ModelPage, 'disputed' | 'paragraphs'>
type Three<T> = { readonly base: T; readonly ours: T; readonly theirs: T }
const SIDES = ['ours', 'theirs'] as const

/**
 * What a side took away is gone, what a side added is there; but where that clashes, a side is taken with all up to the
 * next paragraph that both kept.
 */
function mergeTexts(versions: Three<Texts>, take: Take): Texts & { clashes: number } {
  const { base, ours, theirs } = versions
  const isTouched = (side: 'ours' | 'theirs') => versions[side].disputed !== base.disputed
  const isDisputed = isTouched('ours') && isTouched('theirs') && ours.disputed !== theirs.disputed
  let { disputed } = isTouched('theirs') ? theirs : ours
  let clashes = 0
  const paragraphs: Paragraph[] = []
  for (const [nth, { kept, ...gap }] of gapsOf(versions).entries()) {
    const isFirst = nth === 0
    if ((isFirst && isDisputed) || isClash(gap)) {
      clashes++
      paragraphs.push(...gap[take])
      // A side that left nothing else there is recognized by its paragraph before it.
      if (isFirst && (isDisputed || SIDES.some(side => gap[side].length === 0 && isTouched(side))))
        disputed = versions[take].disputed
    } else paragraphs.push(...SIDES.flatMap(side => gap[side].filter(one => !gap.base.includes(one))))
    if (kept !== undefined) paragraphs.push(kept)
  }
  return { disputed, paragraphs: [...new Set(paragraphs)], clashes }
}

type Gap = Three<readonly Paragraph[]>

/** The paragraphs between those that both sides kept, each with the one that ends it. */
function gapsOf({ base, ours, theirs }: Three<Texts>): (Gap & { kept: Paragraph | undefined })[] {
  const rest = { base: base.paragraphs, ours: ours.paragraphs, theirs: theirs.paragraphs }
  const isKept = (one: Paragraph) => ours.paragraphs.includes(one) && theirs.paragraphs.includes(one)
  return [...base.paragraphs.filter(isKept), undefined].map(kept => {
    const upTo = (name: keyof Gap): readonly Paragraph[] => {
      const end = kept === undefined ? rest[name].length : rest[name].indexOf(kept)
      const run = rest[name].slice(0, end)
      rest[name] = rest[name].slice(end + 1)
      return run
    }
    return { base: upTo('base'), ours: upTo('ours'), theirs: upTo('theirs'), kept }
  })
}

/** Where one wrote between two that the other took away, or both took one away and wrote something else there. */
function isClash({ base, ours, theirs }: Gap): boolean {
  const isIn = (side: readonly Paragraph[]) => (one: Paragraph) => side.includes(one)
  const writtenAt = (side: readonly Paragraph[], at: number): string => {
    const before = base.slice(0, at).findLast(isIn(side))
    const next = base.slice(at).find(isIn(side))
    return side
      .slice(
        before === undefined ? 0 : side.indexOf(before) + 1,
        next === undefined ? undefined : side.indexOf(next),
      )
      .join()
  }
  const isWrittenInto = (writer: readonly Paragraph[], remover: readonly Paragraph[]) =>
    base.slice(1).some((one, at) => {
      const two = [base[at] as Paragraph, one]
      return two.every(isIn(writer)) && !two.some(isIn(remover)) && writtenAt(writer, at + 1) !== ''
    })
  return (
    isWrittenInto(ours, theirs) ||
    isWrittenInto(theirs, ours) ||
    base.some(
      (one, at) => !isIn(ours)(one) && !isIn(theirs)(one) && writtenAt(ours, at) !== writtenAt(theirs, at),
    )
  )
}

type Versions = Three<ModelContent>

/**
 * Pages that one side deleted and at or below which the other did something: by the topmost deleted page, with the
 * version that is kept of each page that was deleted with it.
 */
function settleExistence(
  { base, ours, theirs }: Versions,
  take: Take,
): { versions: Map<string, Take>; tops: string[] } {
  const versions = new Map<string, Take>()
  const tops: string[] = []
  for (const [deleter, changer] of [
    [ours, theirs],
    [theirs, ours],
  ] as const) {
    const isDeleted = (id: string | null): id is string => id !== null && base.has(id) && !deleter.has(id)
    const touched = new Set<string>()
    const touch = (id: string) => {
      const parent = base.get(id)?.parent ?? null
      touched.add(isDeleted(parent) ? parent : id)
    }
    for (const [id, page] of changer) {
      const before = base.get(id)
      if (isDeleted(id) && !isSame(before, page)) touch(id)
      if (before?.parent !== page.parent && isDeleted(page.parent)) touch(page.parent)
    }
    for (const top of touched) {
      tops.push(top)
      const settled = { base, ours, theirs }[take]
      if (settled === deleter) continue
      for (const [id, page] of base)
        if ((id === top || page.parent === top) && isDeleted(id)) versions.set(id, take)
    }
    for (const id of base.keys()) if (isDeleted(id) && !versions.has(id)) versions.set(id, sideOf(deleter))
  }
  return { versions, tops: [...new Set(tops)] }

  function sideOf(content: ModelContent): Take {
    return content === ours ? 'ours' : 'theirs'
  }
}

const isSame = (a: ModelPage | undefined, b: ModelPage): boolean =>
  a !== undefined &&
  a.title === b.title &&
  a.parent === b.parent &&
  a.disputed === b.disputed &&
  a.paragraphs.toSorted().join() === b.paragraphs.toSorted().join()

/**
 * A page whose parent is gone goes too when it was made there, and is elsewhere when it was moved there; undefined
 * when every place that it ever had is gone.
 */
function withPlaces(
  merged: Map<string, ModelPage>,
  { base, ours, theirs }: Versions,
): ModelContent | undefined {
  for (const [id, page] of merged) {
    if (page.parent === null || merged.has(page.parent)) continue
    if (!base.has(id)) {
      merged.delete(id)
      continue
    }
    const places = [ours, theirs, base].map(side => side.get(id)?.parent)
    const parent = places.find(place => place === null || (place !== undefined && merged.has(place)))
    if (parent === undefined) return undefined
    merged.set(id, { ...page, parent })
  }
  return merged
}
