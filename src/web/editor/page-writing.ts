// One page while it is written: kept on this device first, then saved into a draft when typing pauses, merged with what
// others write. Nothing that was typed is lost: what cannot be saved stays on the device and says why.
import type { ChangeSet, Text } from '@codemirror/state'
import { isReason } from '../data/client.ts'
import type { DraftPlace } from '../data/content-changes.ts'
import { dropKeptPage } from '../data/kept-page.ts'
import {
  beginDraft,
  type PageFields,
  type PageText,
  readPageBefore,
  readPageText,
  writePage,
} from '../data/page-text.ts'
import type { ContentPlace } from '../data/pages.ts'
import { randomKey } from '../data/random-key.ts'
import { createStore, type Store } from '../data/store.ts'
import { changeOf } from '../data/text-change.ts'
import { KeptCopy } from './kept-copy.ts'
import { Leaving } from './leaving.ts'
import type { Opened, Opening } from './opening.ts'
import { changedFields, clashingFields, mergeFields } from './page-fields.ts'
import { SavePause } from './save-pause.ts'
import { Clash, isRefusal, type SaveState, stateAfter, type Versions } from './save-state.ts'
import { changesBetween, readText, TextSync } from './text-sync.ts'

const KEEP_MS = 300
const RETRY_MS = 10_000

const leaving = new Leaving<PageWriting>()

export class PageWriting {
  readonly pageId: string
  readonly place: Store<ContentPlace>
  readonly fields
  readonly state = createStore<SaveState>({ kind: 'saved' })
  readonly opened: Opened
  readonly isKept
  /** No other has it, in this tab or elsewhere. */
  readonly writer: string
  readonly #input: Opening
  readonly #copy: KeptCopy
  #there: PageText
  #sync: TextSync
  #saving: Promise<void> | undefined
  readonly #pause = new SavePause()
  #saveTimer: ReturnType<typeof setTimeout> | undefined
  #keepTimer: ReturnType<typeof setTimeout> | undefined
  /** The draft that is to be begun: the same request however often it is sent. */
  #draft: { readonly key: string; readonly subject: string } | undefined
  /** What was sent without an answer: it may be there. */
  #unanswered: string | undefined
  /** Of `performance.now`: what was asked for before it may be older than what is there. */
  #writtenAt = 0
  /** What both versions of a clash have become so far. */
  #choice: Text | undefined
  #isLeft = false
  /** A save and a file that is put beside the text begin one together. */
  #beginning: Promise<DraftPlace> | undefined
  readonly #listeners = new Set<(changes: ChangeSet) => void>()

  /** The page as it was left, if it still saves; else as it was read and as this device keeps it. */
  static open(input: Opening): PageWriting {
    return leaving.find(input) ?? new PageWriting(input)
  }

  private constructor(input: Opening) {
    const { personId, pageId, place, page } = input
    this.#input = input
    this.opened = { personId, pageId, place }
    this.pageId = pageId
    this.place = createStore(place)
    this.#copy = new KeptCopy({ ...place, personId, pageId })
    this.isKept = this.#copy.isKept
    this.writer = this.#copy.writer
    const kept = this.#copy.take()
    this.#there = kept?.there ?? page
    this.#sync = new TextSync(this.#there, kept && readText(kept.there, kept.text))
    this.fields = createStore(kept?.fields ?? page.fields)
    if (kept === undefined) return
    this.#unanswered = kept.sent
    this.#recognize(page)
    if (this.isSaved) this.#drop()
    else this.#become('unsaved')
    this.receive(page)
  }

  get text(): Text {
    return this.#sync.text
  }

  get isSaved(): boolean {
    return (
      this.#sync.isSaved && Object.keys(changedFields(this.fields.get(), this.#there.fields)).length === 0
    )
  }

  /** The text as it would be sent. */
  get markdown(): string {
    return this.#sync.write(this.#sync.text)
  }

  /** Told of what others write, in the text of the writer; until the function that it returns is called. */
  follow(listener: (changes: ChangeSet) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  edit(changes: ChangeSet): void {
    this.#sync.edit(changes)
    this.#touch()
  }

  change(fields: Partial<PageFields>): void {
    this.fields.set({ ...this.fields.get(), ...fields })
    this.#touch()
  }

  /** What the server has now, as it was read because somebody wrote. */
  receive(now: PageText): void {
    // What is on its way is read again when it is there, and a clash is settled on what it was seen against.
    if (this.#saving !== undefined || this.state.get().kind === 'clash') return
    if (now.revision === this.#there.revision || now.askedAt < this.#writtenAt || !this.isSaved) return
    this.#settle(now)
  }

  /** Saves at once. Resolves when there is nothing left to try now. */
  async save(): Promise<void> {
    clearTimeout(this.#saveTimer)
    if (this.#saving !== undefined) {
      await this.#saving
      return this.save()
    }
    if (this.isSaved || this.state.get().kind === 'clash') return
    this.#saving = this.#write().finally(() => {
      this.#saving = undefined
    })
    await this.#saving
    if (!this.isSaved && this.state.get().kind === 'unsaved') this.#saveLater()
  }

  /** The text to go on with where others wrote the same. */
  resolve(text: Text): void {
    const state = this.state.get()
    if (state.kind !== 'clash') return
    this.#goOnWith(state.now, text)
    this.#become('unsaved')
    this.#touch()
    void this.save()
  }

  /** The device keeps what is being made of both versions. */
  choose(text: Text): void {
    this.#choice = text
    this.#touch()
  }

  /** Both versions of a clash: the text of the writer has what others changed elsewhere. */
  get clash(): Versions | undefined {
    const state = this.state.get()
    if (state.kind !== 'clash') return undefined
    const { text, fields } = state.now
    return {
      theirs: this.#sync.read(text),
      mine: this.#sync.mergeKeepingMine(text),
      fields: clashingFields(this.#there.fields, this.fields.get(), fields),
    }
  }

  /** Goes on in a new draft, where the one that was written into takes nothing any more. */
  async moveToNewDraft(): Promise<void> {
    if (this.#saving !== undefined) return
    clearTimeout(this.#saveTimer)
    this.#saving = this.#move().finally(() => {
      this.#saving = undefined
    })
    await this.#saving
    if (this.state.get().kind === 'unsaved') await this.save()
  }

  async #move(): Promise<void> {
    const { spaceId, changeRequestId } = this.place.get()
    this.#become('saving')
    try {
      // What the draft has is in no other place if it was not merged: all of it goes along.
      const before = await readPageBefore({ spaceId, changeRequestId }, this.pageId)
      const now = await readPageText({ spaceId }, this.pageId)
      this.#draft = undefined
      if (before !== undefined) {
        this.#there = before
        this.#goOn(before, this.text)
      }
      this.#moveTo({ spaceId })
      this.#meet(now)
    } catch (error) {
      await this.#explain(error)
    }
  }

  /** Where files are written beside the text: a draft of its own is begun when there is none. */
  async openDraft(): Promise<DraftPlace> {
    const isBegun = this.place.get().changeRequestId !== undefined
    const place = await this.#target().catch(async error => {
      if (error instanceof Clash) await this.#explain(error)
      throw error
    })
    if (!isBegun && this.#saving === undefined) this.#become(this.isSaved ? 'saved' : 'unsaved')
    return place
  }

  /** Somebody writes. */
  resume(): void {
    this.#isLeft = false
    leaving.quit(this)
    if (!this.isSaved && this.#saving === undefined) this.#saveLater()
  }

  /** Saves once more, and tries nothing after it: what is not saved stays on the device. */
  close(): void {
    this.#isLeft = true
    leaving.enter(this)
    this.keep()
    void this.save().finally(() => leaving.quit(this))
  }

  async #write(): Promise<void> {
    // Before anything is sent: the network, the server or this page may end in the middle of it.
    this.keep()
    this.#become('saving')
    try {
      const place = await this.#target()
      if (this.#unanswered !== undefined) this.#recognize(await readPageText(place, this.pageId))
      const isWritten = !this.#sync.isSaved
      const fields = changedFields(this.fields.get(), this.#there.fields)
      const sent = { ...this.#there.fields, ...fields }
      const text = this.#sync.send()
      this.#unanswered = text
      await writePage(place, this.pageId, {
        base: this.#there.revision,
        ...(isWritten ? { markdown: this.#there.head + text } : {}),
        fields: fields.title === undefined ? fields : { ...fields, followTitle: true },
      })
      this.#writtenAt = performance.now()
      this.#settle(await readPageText(place, this.pageId), sent)
      this.#unanswered = undefined
    } catch (error) {
      if (isRefusal(error)) this.#unanswered = undefined
      this.#sync.refuse()
      this.keep()
      await this.#explain(error)
    }
  }

  /** Where it is written: a draft of its own is begun with the first save. */
  async #target(): Promise<DraftPlace> {
    const { spaceId, changeRequestId } = this.place.get()
    if (changeRequestId !== undefined) return { spaceId, changeRequestId }
    this.#beginning ??= this.#begin(spaceId).finally(() => {
      this.#beginning = undefined
    })
    return this.#beginning
  }

  async #begin(spaceId: string): Promise<DraftPlace> {
    this.#draft ??= { key: randomKey(), subject: this.#input.subjectOf(this.fields.get().title) }
    const { number, revisionInitial } = await beginDraft(spaceId, this.#draft)
    const target = { spaceId, changeRequestId: String(number) }
    const now = revisionInitial === this.#there.revision ? undefined : await readPageText(target, this.pageId)
    this.#moveTo(target)
    if (now !== undefined) this.#meet(now)
    this.#become('saving')
    return target
  }

  /** What the device keeps goes along. */
  #moveTo(place: ContentPlace): void {
    const before = this.#copy.moveTo(place)
    this.place.set(place)
    this.keep()
    dropKeptPage(before, this.writer)
  }

  /** What was not read in this draft: no server merges it, and what both wrote is for the writer to choose. */
  #meet(now: PageText): void {
    const fields = clashingFields(this.#there.fields, this.fields.get(), now.fields)
    if (this.#sync.clashesWith(now.text) || fields.length > 0) throw new Clash(now)
    this.#settle(now)
  }

  async #explain(error: unknown): Promise<void> {
    if (isReason(error, 'edit_conflicts'))
      return readPageText(this.place.get(), this.pageId).then(
        now => this.#disagree(now),
        failure => this.#explain(failure),
      )
    const state = stateAfter(error)
    this.state.set(state)
    if (state.kind === 'waiting' && !this.#isLeft)
      this.#saveTimer = setTimeout(() => void this.save(), RETRY_MS)
  }

  /** Where both changed the same to the same, there is nothing to choose. */
  #disagree(now: PageText): void {
    const text = this.#sync.mergeKeepingMine(now.text)
    const fields = clashingFields(this.#there.fields, this.fields.get(), now.fields)
    if (fields.length > 0 || !text.eq(this.#sync.read(now.text))) this.state.set({ kind: 'clash', now })
    else {
      this.#goOnWith(now, text)
      this.#conclude()
    }
  }

  /** With another text than that of the writer, who can undo what was typed before all the same. */
  #goOnWith(there: PageText, text: Text): void {
    const changes = changesBetween(this.text, text)
    this.#goOn(there, text)
    this.#tell(changes)
  }

  /** What the server has is what was sent to it without an answer. */
  #recognize(now: PageText): void {
    if (now.text === this.#unanswered) this.#goOn(now, this.text)
  }

  /** From another text of the server, with the text and the fields of the writer. */
  #goOn(there: PageText, text: Text): void {
    this.fields.set(mergeFields(this.#there.fields, this.fields.get(), there.fields))
    this.#there = there
    this.#sync = new TextSync(there, text)
    this.#choice = undefined
    this.#unanswered = undefined
  }

  /** `before`: the fields that the writer's are changes of. */
  #settle(now: PageText, before = this.#there.fields): void {
    const mine = this.fields.get()
    this.#there = now
    this.#tell(this.#sync.settle(now.text))
    this.fields.set(mergeFields(before, mine, now.fields))
    this.#conclude()
  }

  #conclude(): void {
    this.#become(this.isSaved ? 'saved' : 'unsaved')
    if (this.isSaved) this.#drop()
    else this.keep()
  }

  #tell(changes: ChangeSet): void {
    if (!changes.empty) for (const listener of this.#listeners) listener(changes)
  }

  #touch(): void {
    this.#keepTimer ??= setTimeout(() => this.keep(), KEEP_MS)
    if (this.state.get().kind === 'clash') return
    if (this.isSaved) {
      clearTimeout(this.#saveTimer)
      this.#become('saved')
      this.#drop()
      return
    }
    if (this.#saving === undefined) this.#become('unsaved')
    this.#saveLater()
  }

  #saveLater(): void {
    const pauseMs = this.#pause.begin()
    clearTimeout(this.#saveTimer)
    if (!this.#isLeft) this.#saveTimer = setTimeout(() => void this.save(), pauseMs)
  }

  #become(kind: 'saved' | 'unsaved' | 'saving'): void {
    if (kind !== 'unsaved') this.#pause.end()
    if (this.state.get().kind !== kind) this.state.set({ kind })
  }

  /** On this device, as long as it is not saved. */
  keep(): void {
    clearTimeout(this.#keepTimer)
    this.#keepTimer = undefined
    if (this.isSaved) return
    this.#copy.keep({
      there: this.#there,
      change:
        this.#choice === undefined
          ? this.#sync.change
          : changeOf(this.#there.text, this.#sync.write(this.#choice)),
      ...(this.#unanswered === undefined ? {} : { sent: this.#unanswered }),
      fields: this.fields.get(),
      at: Date.now(),
    })
  }

  #drop(): void {
    clearTimeout(this.#keepTimer)
    this.#keepTimer = undefined
    this.#copy.drop()
  }
}
