// An archive or a folder on its way to become a new space. It goes on while other screens are shown.
import { navigate } from 'wouter/use-browser-location'
import { type Chosen, packFolder, sendArchive } from '../../data/archive.ts'
import { createSpace, type NewSpace } from '../../data/new-space.ts'
import type { Progress } from '../../data/pack-folder.ts'
import { createStore } from '../../data/store.ts'
import { endUnderWay } from '../../data/under-way.ts'
import { isolated, t } from '../../messages/messages.ts'
import { say } from '../../parts/toasts.tsx'
import { showUnderWay } from '../../parts/under-way.ts'

const UPLOAD_ADDRESS = '/w/new/upload'

export type Asked = {
  readonly organizationId: string
  readonly chosen: Chosen
  readonly body: NewSpace
  /** With it, the space is made once, and what was chosen imported once. */
  readonly key: string
}

export type ArchiveSending = Asked & {
  /** The space that it fills, once there is one. */
  readonly spaceId: string | undefined
  readonly state:
    | ({ readonly kind: 'packing' | 'uploading' } & Progress)
    /** The network broke off, and it is sent again in a moment. */
    | { readonly kind: 'broken' }
    | { readonly kind: 'failed'; readonly error: unknown }
    | { readonly kind: 'stopped' }
    | { readonly kind: 'begun'; readonly operationId: string }
}

/** The last that was begun; null once its import is shown. */
export const archiveSending = createStore<ArchiveSending | null>(null)

export const isSending = (one: ArchiveSending | null): boolean => one !== null && SENDING.has(one.state.kind)

const SENDING: ReadonlySet<ArchiveSending['state']['kind']> = new Set(['packing', 'uploading', 'broken'])

let stopping = new AbortController()

export const stopSending = (): void => stopping.abort()

/** One at a time. `spaceId`: what an earlier try has made. */
export async function beginSending(asked: Asked, spaceId: string | undefined): Promise<void> {
  if (isSending(archiveSending.get())) return
  stopping = new AbortController()
  const { signal } = stopping
  let sending: ArchiveSending = { ...asked, spaceId, state: { kind: 'packing', done: 0, total: 0 } }
  const become = (state: ArchiveSending['state']) => {
    sending = { ...sending, state }
    archiveSending.set(sending)
  }
  const onProgress = (kind: 'packing' | 'uploading') => (progress: Progress) => {
    signal.throwIfAborted()
    become({ kind, ...progress })
    const { key, chosen } = asked
    const part = kind === 'packing' || progress.total === 0 ? 0 : progress.done / progress.total
    showUnderWay({ key, name: chosen.name, part, shownAt: [UPLOAD_ADDRESS], stopping })
  }
  try {
    const { files, isArchive } = asked.chosen
    const [first] = files
    onProgress(isArchive ? 'uploading' : 'packing')({ done: 0, total: 0 })
    const archive = isArchive && first !== undefined ? first : await packFolder(files, onProgress('packing'))
    const id = spaceId ?? (await createSpace(asked.organizationId, asked.body, asked.key)).id
    sending = { ...sending, spaceId: id }
    const progress = {
      onProgress: onProgress('uploading'),
      onBroken: () => become({ kind: 'broken' }),
      signal,
    }
    const operationId = await sendArchive(id, archive, `${asked.chosen.key} ${id}`, progress)
    become({ kind: 'begun', operationId })
    if (!isShown()) tellBegun(sending, operationId)
  } catch (error) {
    if (signal.aborted) become({ kind: 'stopped' })
    else {
      become({ kind: 'failed', error })
      if (!isShown()) tell('newSpace.isNotSent', asked.chosen, UPLOAD_ADDRESS)
    }
  } finally {
    endUnderWay(asked.key)
  }
}

const isShown = (): boolean => location.pathname === UPLOAD_ADDRESS

function tellBegun({ spaceId = '', chosen }: ArchiveSending, operation: string): void {
  archiveSending.set(null)
  tell('newSpace.isSent', chosen, importAddress(spaceId, operation))
}

export const importAddress = (space: string, operation: string): string =>
  `${UPLOAD_ADDRESS}?${new URLSearchParams({ space, operation })}`

function tell(key: 'newSpace.isSent' | 'newSpace.isNotSent', { name }: Chosen, address: string): void {
  say(t(key, { name: isolated(name) }), { label: t('newSpace.show'), run: () => navigate(address) })
}
