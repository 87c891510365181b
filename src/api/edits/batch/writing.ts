// One text while a request writes it, change by change.
import { isUtf8 } from 'node:buffer'
import { assert } from '../../../base/assert.ts'
import { decodeDocument, encodeDocument, namesOf } from '../../../engines/content/objects.ts'
import {
  type Hash,
  type PageRecord,
  type ReusableRecord,
  splitKey,
  type TextKey,
} from '../../../engines/content/records.ts'
import type { StoredObject } from '../../../engines/content/store.ts'
import { setFrontmatter } from '../../../engines/markdown/edit/edit.ts'
import { pageMetadata } from '../../../engines/markdown/page/page.ts'
import type { Unwritten } from '../../../engines/markdown/render/render.ts'
import { findFrontmatter, parseFrontmatter } from '../../../engines/markdown/syntax/syntax.ts'
import { titleOfName } from '../../../engines/names/titles.ts'
import { readDocumentMetadata } from '../../content/document-metadata.ts'
import type { NewDocument } from '../request/fields.ts'
import { checkSize } from '../request/prepare.ts'
import { refuse } from '../request/schema.ts'
import type { Links, TextAt } from './links.ts'
import {
  fieldsNotInFrontmatter,
  METADATA_FIELDS,
  type MetadataField,
  type Picture,
  toFrontmatter,
  withFields,
} from './metadata.ts'
import { renderText } from './rich-texts.ts'
import type { Batch, Step } from './state.ts'
import { distinctMissing, type Missing } from './unresolved.ts'

type StepOf<K extends Step['kind']> = Extract<Step, { kind: K }>
/** A document of the store. */
type Stored = StoredObject & { readonly text: string; readonly isUtf8: boolean }

export class Writing {
  readonly #batch: Batch
  readonly #links: Links
  readonly #key: TextKey
  readonly #at: TextAt
  /** Stored documents that the text may turn out to equal, byte for byte. */
  readonly #stored: Stored[] = []
  #text: string | null | undefined
  /** What the last text that was sent refers to and is not there. */
  #missing: readonly Missing[] = []
  /** The blocks of the last document that its text does not say as they are. */
  #unwritten: readonly Unwritten[] = []
  /** Fields that the record finally takes from the text. */
  readonly #fields = new Set<MetadataField>()
  #index = 0

  constructor(batch: Batch, links: Links, key: TextKey) {
    this.#batch = batch
    this.#links = links
    this.#key = key
    const [prefix, id] = splitKey(key)
    this.#at = { file: this.#record.file ?? '', page: prefix === 'page' ? id : undefined }
  }

  async apply(step: Exclude<Step, { kind: 'aim' }>): Promise<void> {
    this.#index = step.index
    switch (step.kind) {
      case 'write':
        return this.#write(step)
      case 'include':
        return this.#include(step)
      case 'reset':
        return this.#reset(step)
      case 'undo':
        return this.#undo(step)
      case 'relink':
        return this.#relink(step)
    }
  }

  /** Puts the text and the fields it defines into the record; returns the document if it is new. */
  async finish(): Promise<StoredObject[]> {
    const { draft } = this.#batch
    if (this.#text === undefined) return []
    if (this.#text === null) {
      const { oid: _, ...record } = this.#withFields('')
      draft.set(this.#key, { ...record, document: null })
      return []
    }
    const text = this.#withTitle(this.#text)
    this.#batch.leaveUnresolved(this.#key, this.#missing)
    this.#batch.leaveUnwritten(this.#key, this.#unwritten)
    checkSize(this.#index, 'document', text)
    const stored = this.#stored.find(known => known.text === text)
    const object = stored ?? encodeDocument(text)
    draft.set(this.#key, { ...this.#record, ...namesOf(object) })
    if (this.#at.page !== undefined) draft.set(this.#key, this.#withFields(text))
    return stored === undefined ? [object] : []
  }

  get #record(): PageRecord | ReusableRecord {
    const record = this.#batch.draft.get(this.#key)
    assert(record !== null, 'a record whose text is written is there')
    return record
  }

  get #page(): PageRecord {
    const record = this.#record
    assert('slug' in record, 'only pages have fields in their text')
    return record
  }

  async #write({ document, metadata, titles }: StepOf<'write'>): Promise<void> {
    let text = await this.#withDocument(document, titles.before)
    const fields = fieldsNotInFrontmatter(metadata, document?.markdown)
    if (document?.markdown === undefined && text !== null && titles.before !== titles.after)
      text = await this.#retitled(text, titles)
    if (fields.length > 0) text = await this.#withMetadata(text ?? '', metadata, fields)
    for (const field of fields) this.#fields.add(field)
    this.#text = text === '' && document === undefined ? (this.#text ?? null) : text
  }

  async #include({ document, titles }: StepOf<'include'>): Promise<void> {
    const written = (await this.#withDocument(document, titles.before)) ?? ''
    const text = document === undefined ? await this.#retitled(written, titles) : written
    const { title, heading } = readDocumentMetadata(Buffer.from(text), () => {})
    // An import takes the title from the frontmatter, a heading or the file name, in this order.
    const isSaid = (title ?? heading() ?? titleOfName(this.#at.file)) === titles.after
    this.#text = isSaid ? text : setFrontmatter(text, { title: titles.after })
  }

  async #reset({ document }: StepOf<'reset'>): Promise<void> {
    this.#text = document === null ? null : (await this.#load(document)).text
    this.#takeAllFields()
  }

  async #undo({ document, blocks: keys }: StepOf<'undo'>): Promise<void> {
    const before = document === null ? '' : (await this.#load(document)).text
    const { compute, owner } = this.#batch.base
    const after = (await this.#current()) ?? ''
    const outcome = await compute.run('undo', owner.spaceId, { before, after, keys })
    if (outcome.kind === 'beyond')
      throw refuse(
        this.#index,
        'block',
        'this page is too much for undoing single blocks of it. Revert the whole page, or send its text.',
      )
    const { document: text, unknown } = outcome.value
    if (unknown.length > 0)
      throw refuse(
        this.#index,
        'block',
        `no changed block of this page has the key ${JSON.stringify(unknown[0])}. Take the keys from the changes since that revision.`,
      )
    this.#text = text
    this.#takeAllFields()
  }

  /** A text too large to parse has no links that are followed. */
  async #relink({ index, from, to }: StepOf<'relink'>): Promise<void> {
    const text = await this.#current()
    if (text === null) return
    const { compute, owner } = this.#batch.base
    const outcome = await compute.run('relinkText', owner.spaceId, {
      ...{ markdown: text, file: this.#at.file, from, to },
    })
    if (outcome.kind !== 'done' || outcome.value === text) return
    this.#refuseLoss(text)
    this.#text = outcome.value
    if (this.#missing.length > 0) this.#missing = await this.#links.missingIn(outcome.value, this.#at)
    this.#batch.touch(this.#key, index)
  }

  /** A text too large to parse keeps its heading. */
  async #retitled(markdown: string, titles: { before: string; after: string }): Promise<string> {
    const { compute, owner } = this.#batch.base
    const outcome = await compute.run('retitle', owner.spaceId, { markdown, ...titles })
    return outcome.kind === 'done' ? outcome.value : markdown
  }

  /** The text as it is at this point of the request; null for a page without one. */
  async #current(): Promise<string | null> {
    if (this.#text !== undefined) return this.#text
    const { document } = this.#record
    this.#text = document === null || document === '' ? null : (await this.#load(document)).text
    return this.#text
  }

  async #load(hash: Hash): Promise<Stored> {
    const body = (await this.#batch.base.store.getMany([hash])).get(hash)
    assert(body !== undefined, `document ${hash} of a revision is there`)
    const stored = { hash, kind: 'document', body, text: decodeDocument(body), isUtf8: isUtf8(body) } as const
    this.#stored.push(stored)
    return stored
  }

  /** The text of the submitted document, or the current text if none was submitted. */
  async #withDocument(document: NewDocument | undefined, title: string): Promise<string | null> {
    const before = await this.#current()
    if (document?.markdown !== undefined) return this.#withMarkdown(document.markdown, before)
    if (document?.document === undefined) return before
    this.#refuseLoss(before)
    const { compute, owner, spaceUrl } = this.#batch.base
    const leftOut: Missing[] = []
    const outcome = await renderText(document.document, before, {
      compute,
      spaceId: owner.spaceId,
      links: this.#links,
      placesBefore: this.#batch.placesBefore,
      at: this.#at,
      title,
      spaceUrl,
      leaveOut: missing => leftOut.push(missing),
    })
    if (outcome.kind === 'done') {
      const { text, unwritten } = outcome.value
      const kept = await this.#links.missingIn(text, this.#at)
      this.#missing = distinctMissing([...leftOut, ...kept])
      this.#unwritten = unwritten
      return text
    }
    throw refuse(
      this.#index,
      'document',
      'this document is too large or too complex to write over this page. Send its Markdown, or split it into several pages.',
    )
  }

  /** A text with frontmatter replaces everything; one without replaces the body, and the frontmatter stays. */
  async #withMarkdown(markdown: string, before: string | null): Promise<string> {
    const { text, missing } = await this.#links.rewrite(markdown, this.#at, before)
    this.#missing = missing
    this.#unwritten = []
    const own = findFrontmatter(text)?.bodyStart ?? 0
    const start = before === null ? 0 : (findFrontmatter(before)?.bodyStart ?? 0)
    if (own > 0) {
      if (before?.slice(0, start) !== text.slice(0, own)) this.#refuseUnreadable(text, true)
      this.#takeAllFields()
    }
    if (own > 0 || before === null || start === 0) return text
    this.#refuseLoss(before)
    const frontmatter = before.slice(0, start)
    const body = text.replace(/^\ufeff/, '')
    // Separated as in the previous text.
    const end = /[\r\n]$/.test(frontmatter) ? '' : '\n'
    const blank = /^[\r\n]/.test(body) ? '' : (/^(?:\r\n|\n|\r)/.exec(before.slice(start))?.[0] ?? '')
    return frontmatter + end + blank + body
  }

  async #withMetadata(
    text: string,
    metadata: StepOf<'write'>['metadata'],
    fields: readonly MetadataField[],
  ): Promise<string> {
    this.#refuseLoss(text)
    this.#refuseUnreadable(text, false)
    const pictures = [metadata.cover?.ref, metadata.cover?.refDark].filter(picture => picture !== undefined)
    await this.#links.loadReferences(pictures)
    const addressOf = (picture: Picture, field: string): string => {
      const address = this.#links.write(picture, this.#at, this.#batch.base.spaceUrl)
      if (address !== undefined) return address
      throw refuse(
        this.#index,
        `cover.${field}`,
        'this leads to no file of this content, and to no address of the web. Insert the file first.',
      )
    }
    return setFrontmatter(text, toFrontmatter(metadata, fields, text, addressOf))
  }

  /** Updates the title in frontmatter that has one. */
  #withTitle(text: string): string {
    const { title } = readDocumentMetadata(Buffer.from(text), () => {})
    return title === undefined || title === this.#record.title
      ? text
      : setFrontmatter(text, { title: this.#record.title })
  }

  #withFields(text: string): PageRecord {
    const findFile = (destination: string): string | undefined => {
      const made = this.#links.find(destination, this.#at)
      return made?.kind === 'file' ? made.id : undefined
    }
    return withFields(this.#page, text, this.#fields, findFile, () => {})
  }

  #takeAllFields(): void {
    for (const field of METADATA_FIELDS) this.#fields.add(field)
  }

  /** Writing back decoded text would lose bytes that are not UTF-8. */
  #refuseLoss(text: string | null): void {
    if (this.#stored.some(stored => !stored.isUtf8 && stored.text === text))
      throw refuse(
        this.#index,
        'document',
        'the text of this page is not UTF-8, so a part of it cannot be changed. Send all of it as markdown.',
      )
  }

  /** Unreadable frontmatter cannot be changed; if it was submitted, every value has to be valid. */
  #refuseUnreadable(text: string, isSent: boolean): void {
    const { data, problems } = parseFrontmatter(text)
    const fatal = problems.find(({ code }) => code !== 'yaml_duplicate_key')
    const [wrong] = isSent ? pageMetadata(data).problems : []
    const problem = fatal ?? wrong
    if (problem === undefined) return
    const line = 'line' in problem && problem.line !== undefined ? `line ${problem.line}: ` : ''
    throw refuse(
      this.#index,
      'document.markdown',
      `the frontmatter of this page cannot be read: ${line}${problem.message.replace(/\.$/, '')}. Correct the frontmatter and send the page again.`,
    )
  }
}
