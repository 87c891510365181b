// The documents of a merge that both sides changed. They are read in one batch.
import type { SplitBlocks } from './block-diff.ts'
import { withoutMargins } from './block-pairs.ts'
import { MergeBudget } from './merge-budget.ts'
import type { BlockConflict, Conflict, Settlement, Take } from './merge-conflicts.ts'
import { isSide } from './merge-conflicts.ts'
import { mergeDocuments } from './merge-documents.ts'
import { keyOfConflict } from './merge-frontmatter.ts'
import type { Triple, TwoSided } from './merge-records.ts'
import { mergeTexts } from './merge-text.ts'
import { decodeDocument, encodeDocument, namesOf } from './objects.ts'
import type { Hash, Key } from './records.ts'
import type { ObjectReads, StoredObject } from './store.ts'
import { withoutFrames } from './text-frames.ts'
import { mapVersions } from './versions.ts'

/** One version of a document: its hash, and that of its blob in git. */
export type DocumentSide = { readonly document: Hash | null; readonly oid?: string | undefined }
export type DocumentTriple = TwoSided<DocumentSide>

/** Whether both sides changed the document, each to something else. */
const isDisputed = ({ base, ours, theirs }: DocumentTriple): boolean =>
  ours.document !== theirs.document &&
  ours.document !== (base?.document ?? null) &&
  theirs.document !== (base?.document ?? null)

/** Reads disputed documents in one round trip; merged ones become new objects. */
export class Documents {
  readonly objects: StoredObject[] = []
  readonly #bodies: ReadonlyMap<Hash, Uint8Array>
  readonly #blocks: SplitBlocks
  readonly #settlement: Settlement
  readonly #budget = new MergeBudget()

  private constructor(bodies: ReadonlyMap<Hash, Uint8Array>, blocks: SplitBlocks, settlement: Settlement) {
    this.#bodies = bodies
    this.#blocks = blocks
    this.#settlement = settlement
  }

  static async read(
    store: ObjectReads,
    triples: Iterable<DocumentTriple>,
    blocks: SplitBlocks,
    settlement: Settlement,
  ): Promise<Documents> {
    const hashes = new Set<Hash>()
    for (const triple of triples) {
      if (!isDisputed(triple)) continue
      for (const side of [triple.base, triple.ours, triple.theirs])
        if (side?.document != null) hashes.add(side.document)
    }
    const bodies = hashes.size === 0 ? new Map<Hash, Uint8Array>() : await store.getMany([...hashes])
    return new Documents(bodies, blocks, settlement)
  }

  /**
   * The merged document of a key. A known document keeps its `oid`. What says the title that both sides changed is part of
   * that conflict.
   */
  merge(key: Key, triple: DocumentTriple, rename?: Conflict): DocumentSide {
    const { base, ours, theirs } = triple
    if (!isDisputed(triple)) return this.#undisputed(triple)
    const texts = [base, ours, theirs].map(side => this.#textOf(side?.document ?? null))
    const [b, o, t] = texts
    if (typeof b !== 'string' || typeof o !== 'string' || typeof t !== 'string')
      return this.#mergeWhole(key, triple)
    return this.#keep(
      triple,
      this.#budget.spend(budget =>
        mergeDocuments(
          { base: b, ours: o, theirs: t },
          this.#blocks,
          conflict =>
            rename !== undefined && saysName(conflict, rename)
              ? this.#settleName(conflict, rename)
              : this.#settle({ key, kind: 'block', ...conflict }),
          budget,
        ),
      ),
    )
  }

  /** Merges a text that is not a document by lines, or as one block if they conflict. */
  mergeLines(key: Key, versions: Triple<Hash>): Hash | null {
    const triple = toDocuments(versions)
    return (this.#byLines(triple) ?? this.#mergeWhole(key, triple)).document
  }

  /**
   * The same for SUMMARY.md. Where its lines conflict only because of its entries, it is that of the side that changed
   * the text between them: an export writes the entries of the merged tree into it.
   */
  mergeSummary(key: Key, versions: Triple<Hash>, textBetween: (summary: string) => string): Hash | null {
    const triple = toDocuments(versions)
    const merged = this.#byLines(triple)
    if (merged !== undefined) return merged.document
    const { base, ours, theirs } = mapVersions(versions, hash => {
      const text = this.#textOf(hash)
      return typeof text === 'string' ? linesIn(textBetween(text)) : undefined
    })
    if (ours !== undefined && theirs !== undefined) {
      // Which of them does not depend on the side.
      if (ours === theirs)
        return String(versions.ours) < String(versions.theirs) ? versions.ours : versions.theirs
      if (theirs === base) return versions.ours
      if (ours === base) return versions.theirs
    }
    return this.#mergeWhole(key, triple).document
  }

  /** Undefined if lines conflict. */
  #byLines(triple: DocumentTriple): DocumentSide | undefined {
    if (!isDisputed(triple)) return this.#undisputed(triple)
    const [b, o, t] = [triple.base, triple.ours, triple.theirs].map(side =>
      this.#textOf(side?.document ?? null),
    )
    if (typeof b !== 'string' || typeof o !== 'string' || typeof t !== 'string') return undefined
    const merged = this.#budget.spend(budget => {
      const { versions, restore } = withoutFrames({ base: b, ours: o, theirs: t })
      const text = mergeTexts(versions, budget)
      return text === undefined ? undefined : restore(text)
    })
    return merged === undefined ? undefined : this.#keep(triple, merged)
  }

  #undisputed({ base, ours, theirs }: DocumentTriple): DocumentSide {
    if (ours.document === theirs.document) {
      if (ours.oid === undefined || theirs.oid === undefined || ours.oid === theirs.oid)
        return ours.oid === undefined ? theirs : ours
      return ours.oid === base?.oid || (theirs.oid !== base?.oid && theirs.oid > ours.oid) ? theirs : ours
    }
    return theirs.document === (base?.document ?? null) ? ours : theirs
  }

  /** null for bytes that are not UTF-8: decoding would change them. */
  #textOf(hash: Hash | null): string | null | undefined {
    if (hash === null) return undefined
    const body = this.#bodies.get(hash)
    if (body === undefined) throw new Error(`document ${hash} of a revision is not in the store`)
    const text = decodeDocument(body)
    return encodeDocument(text).hash === hash ? text : null
  }

  #mergeWhole(key: Key, triple: DocumentTriple): DocumentSide {
    const show = (side: DocumentSide | null): string | null => {
      const body = side?.document == null ? undefined : this.#bodies.get(side.document)
      return body === undefined ? null : decodeDocument(body)
    }
    const conflict: Conflict = {
      kind: 'field',
      key,
      field: 'document',
      base: show(triple.base),
      ours: show(triple.ours),
      theirs: show(triple.theirs),
    }
    const take = this.#settlement.take(conflict)
    if (take === undefined) return triple.ours
    if (isSide(take)) return triple[take] ?? { document: null }
    if ('markdown' in take) return this.#keep(triple, take.markdown)
    this.#settlement.refuse(conflict)
    return triple.ours
  }

  #settle(conflict: Conflict & { ours: string | null; theirs: string | null; base: string | null }) {
    const take: Take | undefined = this.#settlement.take(conflict)
    if (take === undefined) return undefined
    if (isSide(take)) return conflict[take]
    if ('markdown' in take) return withoutMargins(take.markdown)
    this.#settlement.refuse(conflict)
    return undefined
  }

  #settleName(conflict: BlockConflict, rename: Conflict): string | null | undefined {
    const take = this.#settlement.take(rename)
    if (take === undefined) return undefined
    if (isSide(take)) return conflict[take]
    return 'value' in take ? withName(conflict, String(rename.ours), String(take.value)) : undefined
  }

  #keep({ base, ours, theirs }: DocumentTriple, text: string): DocumentSide {
    const object = encodeDocument(text)
    const known = [ours, theirs, base].find(side => side?.document === object.hash)
    if (known != null) return known
    this.objects.push(object)
    return namesOf(object)
  }
}

const toDocuments = (versions: Triple<Hash>): DocumentTriple =>
  mapVersions(versions, document => ({ document }))

/** The lines of a text that are not blank, without the white space around them. */
const linesIn = (text: string): string =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .join('\n')

/** Whether the three texts are one line, and differ by the name alone. */
function saysName(conflict: BlockConflict, { base, ours, theirs, field }: Conflict): boolean {
  if (field !== 'title') return false
  const rest = (text: string | null, name: unknown): string | undefined => {
    const at = text === null || typeof name !== 'string' || text.includes('\n') ? -1 : text.indexOf(name)
    return at === -1 ? undefined : `${text?.slice(0, at)}\n${text?.slice(at + String(name).length)}`
  }
  const one = rest(conflict.ours, ours)
  return one !== undefined && one === rest(conflict.theirs, theirs) && one === rest(conflict.base, base)
}

/** The line with another name; in frontmatter it is quoted. */
function withName({ block, ours }: BlockConflict, before: string, after: string): string | undefined {
  const name = keyOfConflict(block) === undefined ? after : JSON.stringify(after)
  return ours?.replace(before, () => name)
}
