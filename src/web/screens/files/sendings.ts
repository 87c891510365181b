// Files on their way to the server, one after the other: they share the line, and each is there sooner. They go on
// while other screens are shown.
import { navigate } from 'wouter/use-browser-location'
import { refreshSpace } from '../../data/change-request.ts'
import { isReason } from '../../data/client.ts'
import type { DraftPlace } from '../../data/content-changes.ts'
import { type ContentFile, fileBytesMax, filesAddress, nameProblem } from '../../data/files.ts'
import type { ContentPlace } from '../../data/pages.ts'
import { randomKey } from '../../data/random-key.ts'
import { onceSignedIn } from '../../data/session-state.ts'
import { createStore, useStore } from '../../data/store.ts'
import { endUnderWay } from '../../data/under-way.ts'
import { replaceFile, sendFile } from '../../data/uploads.ts'
import { isolated, t } from '../../messages/messages.ts'
import { sayFailed } from '../../parts/toasts.tsx'
import { showUnderWay } from '../../parts/under-way.ts'
import { findTarget, type Target, tell } from './file-actions.ts'

/** What is known of a file before it is sent, that prevents it. */
export type Obstacle = 'tooLarge' | 'folder' | 'ending' | 'nameInvalid'

export type Sending = {
  readonly key: string
  readonly place: ContentPlace
  readonly personId: string
  readonly file: File
  /** What it is put in the place of. */
  readonly replaced: ContentFile | undefined
  readonly state:
    | { readonly kind: 'waiting' }
    | { readonly kind: 'sending'; readonly part: number }
    /** The network broke off, and it is sent again in a moment. */
    | { readonly kind: 'broken' }
    | { readonly kind: 'prevented'; readonly by: Obstacle }
    | { readonly kind: 'failed'; readonly error: unknown }
}

const all = createStore<readonly Sending[]>([])

export const useSendings = (spaceId: string): readonly Sending[] =>
  useStore(all).filter(({ place }) => place.spaceId === spaceId)

export const isOnItsWay = ({ state: { kind } }: Sending): boolean =>
  kind === 'waiting' || kind === 'sending' || kind === 'broken'

/** A file that somebody chose or dropped; a folder has no bytes. */
export type Chosen = { readonly file: File; readonly isFolder: boolean }
type From = Pick<Sending, 'place' | 'personId' | 'replaced'>

export function queueFiles(from: From, chosen: readonly Chosen[]): void {
  const added = chosen.map(({ file, isFolder }): Sending => {
    const by = obstacleOf(file, isFolder, from.replaced !== undefined)
    const state = by === undefined ? WAITING : ({ kind: 'prevented', by } as const)
    return { ...from, key: randomKey(), file, state }
  })
  all.set([...all.get(), ...added])
  void run()
}

const WAITING = { kind: 'waiting' } as const

function obstacleOf(file: File, isFolder: boolean, isReplacement: boolean): Obstacle | undefined {
  if (isFolder) return 'folder'
  if (file.size > fileBytesMax()) return 'tooLarge'
  return isReplacement ? undefined : nameProblem(file.name)
}

export function retry(key: string): void {
  become(key, WAITING)
  void run()
}

/** What is on its way is stopped. */
export function remove(key: string): void {
  if (current?.key === key) current.stopping.abort()
  all.set(all.get().filter(one => one.key !== key))
}

const become = (key: string, state: Sending['state']): void =>
  all.set(all.get().map(one => (one.key === key ? { ...one, state } : one)))

let current: { readonly key: string; readonly stopping: AbortController } | undefined
let isRunning = false

/** What was sent into one draft since the last was told. */
type Sent = Target & { readonly from: ContentPlace; readonly files: readonly SentFile[] }
type SentFile = { readonly id: string; readonly name: string; readonly isReplacement: boolean }

async function run(): Promise<void> {
  if (isRunning) return
  isRunning = true
  let sent: Sent | undefined
  for (;;) {
    const next = all.get().find(({ state }) => state.kind === 'waiting')
    if (next === undefined) break
    if (sent !== undefined && !isSamePlace(sent, next.place)) {
      tellOf(sent)
      sent = undefined
    }
    sent = await send(next, sent)
  }
  isRunning = false
  if (sent !== undefined) tellOf(sent)
}

const isSamePlace = ({ from, draft }: Sent, { spaceId, changeRequestId }: ContentPlace): boolean =>
  from.spaceId === spaceId &&
  (from.changeRequestId === changeRequestId || draft.changeRequestId === changeRequestId)

async function send(next: Sending, before: Sent | undefined): Promise<Sent | undefined> {
  const { key, place, personId, file: sent } = next
  const stopping = new AbortController()
  current = { key, stopping }
  let target = before
  const onProgress = (part: number) => {
    become(key, { kind: 'sending', part })
    const shownAt = [filesAddress(target?.draft ?? place), filesAddress(place)] as const
    showUnderWay({ key, name: sent.name, part, shownAt: [...shownAt], stopping })
  }
  onProgress(0)
  try {
    target ??= { ...(await findTarget(place, personId)), from: place, files: [] }
    const file = await put(next, target.draft, {
      key,
      onProgress,
      onBroken: () => become(key, { kind: 'broken' }),
      signal: stopping.signal,
    })
    remove(key)
    return { ...target, files: [...target.files, file] }
  } catch (error) {
    if (stopping.signal.aborted) remove(key)
    else {
      become(key, { kind: 'failed', error })
      if (isReason(error, 'session_expired')) onceSignedIn(() => retry(key))
      else if (!/\/files$/.test(location.pathname)) tellFailed(next)
    }
    return before
  } finally {
    endUnderWay(key)
    current = undefined
  }
}

function tellFailed({ place }: Sending): void {
  sayFailed(t('files.sending.failed', { count: 1 }), {
    label: t('files.sending.show'),
    run: () => navigate(filesAddress(place)),
  })
}

async function put(
  { file, replaced }: Sending,
  draft: DraftPlace,
  progress: Parameters<typeof sendFile>[2],
): Promise<SentFile> {
  if (replaced === undefined) {
    const { id, name } = await sendFile(draft, file, progress)
    return { id, name, isReplacement: false }
  }
  await replaceFile(draft, replaced, file, progress)
  return { id: replaced.id, name: replaced.name, isReplacement: true }
}

function tellOf({ from, files, ...target }: Sent): void {
  const [first] = files
  void refreshSpace(from.spaceId)
  if (first === undefined) return
  const name = isolated(first.name)
  const isReplaced = first.isReplacement && files.length === 1
  tell(
    from,
    target,
    files.map(({ id }) => id),
    isReplaced ? t('files.said.replaced', { name }) : t('files.said.sent', { count: files.length, name }),
  )
}
