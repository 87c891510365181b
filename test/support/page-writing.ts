// A device on which pages are written, without a browser: its calls go to the real server, in the name of a person.
import { after } from 'node:test'
import type { ChangeSet, Text } from '@codemirror/state'
import type { PersonName, World } from './world.ts'

/** A browser resolves addresses against that of the page. */
class PageRequest extends Request {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(typeof input === 'string' ? new URL(input, 'http://workspace.test') : input, init)
  }
}

/** What comes of a call without its answer. */
export type Trouble = 'answer lost' | 'not sent' | 'disk full'

type Fields = {
  readonly title: string
  readonly description: string
  readonly emoji: string
  readonly layout: Readonly<Record<string, boolean | string>>
}

/** What tests need of `PageWriting` and of `PageText`: the workspace is compiled by itself, and so are its types. */
export type Writing = {
  readonly state: { get(): { readonly kind: string } }
  readonly place: { get(): { readonly changeRequestId?: string } }
  readonly fields: { get(): Fields }
  readonly text: Text
  readonly markdown: string
  readonly clash:
    | { readonly theirs: Text; readonly mine: Text; readonly fields: readonly unknown[] }
    | undefined
  readonly isKept: { get(): boolean }
  edit(changes: ChangeSet): void
  follow(listener: (changes: ChangeSet) => void): () => void
  change(fields: Partial<Fields>): void
  receive(page: unknown): void
  save(): Promise<void>
  resolve(text: Text): void
  choose(text: Text): void
  keep(): void
  openDraft(): Promise<{ readonly changeRequestId: string }>
  resume(): void
  moveToNewDraft(): Promise<void>
  close(): void
}

export type Device = {
  /** By method and path, in the order that they came. */
  readonly calls: readonly string[]
  /** For the calls whose method and path match. */
  trouble(call: RegExp, trouble: Trouble): void
  /** Ends all trouble. */
  mend(): void
  /** Whether its storage takes more. */
  fill(isFull: boolean): void
  /** The page as the server has it now. */
  read(spaceId: string, pageId: string, changeRequestId?: string): Promise<unknown>
  open(spaceId: string, pageId: string, changeRequestId?: string): Promise<Writing>
}

/** In this process there is one; it goes with the tests of the file. */
export async function deviceOf(world: World, person: PersonName): Promise<Device> {
  const kept = new Map<string, string>()
  const calls: string[] = []
  const troubles = new Map<RegExp, Trouble>()
  const room = { isFull: false }
  const names = ['Request', 'location', 'localStorage', 'fetch'] as const
  const before = names.map(name => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
  const opened = new Set<Writing>()
  after(async () => {
    for (const writing of opened) {
      writing.close()
      await writing.save()
    }
    for (const [name, descriptor] of before)
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name)
      else Object.defineProperty(globalThis, name, descriptor)
  })
  define({
    Request: PageRequest,
    location: { pathname: '/w' },
    localStorage: storageOf(kept, room),
    async fetch(request: Request) {
      const path = new URL(request.url).pathname + new URL(request.url).search
      const called = `${request.method} ${path}`
      calls.push(called)
      const trouble = [...troubles].find(([call]) => call.test(called))?.[1]
      if (trouble === 'not sent') throw new TypeError('no network')
      if (trouble === 'disk full')
        return Response.json({ error: { code: 507, message: 'full' } }, { status: 507 })
      const payload = await request.text()
      const key = request.headers.get('idempotency-key')
      const { status, text, headers } = await world.call(request.method, path.replace(/^\/v1/, ''), {
        as: person,
        ...(payload === '' ? {} : { payload }),
        ...(key === null ? {} : { headers: { 'idempotency-key': key } }),
      })
      if (trouble === 'answer lost') throw new TypeError('no answer')
      return new Response(text, { status, headers: headers as Record<string, string> })
    },
  })
  // They take what the device has as they are loaded.
  const { PageWriting } = await load('editor/page-writing.ts')
  const { readPageText } = await load('data/page-text.ts')
  return {
    calls,
    read: (spaceId, pageId, changeRequestId) => readPageText({ spaceId, changeRequestId }, pageId),
    trouble: (call, trouble) => void troubles.set(call, trouble),
    mend: () => troubles.clear(),
    fill(isFull) {
      room.isFull = isFull
    },
    async open(spaceId, pageId, changeRequestId) {
      const place = { spaceId, changeRequestId }
      const page = await readPageText(place, pageId)
      const subjectOf = (title: string) => `Edit ${title}`
      const writing: Writing = PageWriting.open({
        personId: world.people[person].id,
        pageId,
        place,
        page,
        subjectOf,
      })
      opened.add(writing)
      writing.resume()
      return writing
    },
  }
}

const load = (path: string) => import(new URL(`../../src/web/${path}`, import.meta.url).href)

function define(values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
}

/** The keys are properties of it, as in a browser. */
function storageOf(kept: Map<string, string>, room: { readonly isFull: boolean }) {
  const methods = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem(key: string, value: string) {
      if (room.isFull) throw new DOMException('no room', 'QuotaExceededError')
      kept.set(key, value)
    },
    removeItem: (key: string) => void kept.delete(key),
  }
  return new Proxy(methods, {
    ownKeys: () => [...kept.keys()],
    getOwnPropertyDescriptor: (_methods, key) =>
      kept.has(String(key)) ? { enumerable: true, configurable: true } : undefined,
  })
}
