// The source editor: the Markdown of a page with its fields beside the page as readers will see it.
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Suspense, use, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { liveChangeRequest } from '../../data/change-request.ts'
import { isStatus } from '../../data/client.ts'
import { type PageText, pageText } from '../../data/page-text.ts'
import { type ContentPlace, editAddress } from '../../data/pages.ts'
import { me } from '../../data/people.ts'
import { type Space, space } from '../../data/spaces.ts'
import { useStore } from '../../data/store.ts'
import MarkdownEditor from '../../editor/markdown-editor.tsx'
import { PagePreview } from '../../editor/page-preview.ts'
import type { PageWriting } from '../../editor/page-writing.ts'
import { editorTexts } from '../../messages/editor.ts'
import { t } from '../../messages/messages.ts'
import { Gone } from '../../parts/gone.tsx'
import { later } from '../../parts/later.tsx'
import { useMedia } from '../../parts/media.ts'
import { useHeading } from '../../parts/screen.tsx'
import { useShortcuts } from '../../parts/shortcuts.ts'
import { Loaded } from '../../parts/state.tsx'
import { Bar, type View } from './bar.tsx'
import { Fields } from './fields.tsx'
import { KeptWords } from './kept-words.tsx'
import { Preview } from './preview.tsx'
import { useWriting } from './use-writing.ts'

// Nobody needs it for the first word, and it is there before the first save.
const [BothVersions, readBothVersions] = later(() => import('./both-versions.tsx'))

type Props = { readonly spaceId: string; readonly number?: string | undefined; readonly pageId: string }

export default function EditorScreen({ spaceId, number, pageId }: Props) {
  if (editorTexts !== undefined) use(editorTexts)
  const place: ContentPlace = { spaceId, changeRequestId: number }
  const page = useQuery(pageText(place, pageId))
  const { id: personId } = useSuspenseQuery(me).data
  const writing = useWriting({ personId, place, pageId, page: page.data })
  const { error, errorUpdatedAt, refetch } = page
  return (
    <>
      <Gone spaceId={spaceId} />
      <Loaded query={useQuery(space(spaceId))} lines="screen">
        {of => (
          <Loaded query={{ data: writing, error, errorUpdatedAt, refetch }} lines="screen">
            {opened => <Opened key={opened.writer} {...{ of, place }} writing={opened} page={page.data} />}
          </Loaded>
        )}
      </Loaded>
      {writing === undefined && isStatus(error, 403, 404) && <KeptWords {...{ personId, place, pageId }} />}
    </>
  )
}

type OpenedProps = {
  readonly of: Space
  /** Where the address leads. */
  readonly place: ContentPlace
  readonly writing: PageWriting
  /** As it was read last; undefined until it is read in the draft that has just begun. */
  readonly page: PageText | undefined
}

function Opened({ of, place, writing, page }: OpenedProps) {
  const [preview] = useState(() => new PagePreview(writing))
  useEffect(() => preview.follow(), [preview])
  useEffect(() => {
    // Without a network it is read when it is needed.
    readBothVersions().catch(() => undefined)
  }, [])
  const [, navigate] = useLocation()
  const target = useStore(writing.place)
  const isClash = useStore(writing.state).kind === 'clash'
  useEffect(() => {
    if (page !== undefined) writing.receive(page)
  }, [writing, page])
  useEffect(() => {
    writing.resume()
    return () => writing.close()
  }, [writing])
  // The first save begins a draft, which has an address of its own: at once, before anything leads elsewhere.
  const shownAt = editAddress(place, writing.pageId)
  const address = editAddress(target, writing.pageId)
  useEffect(() => {
    if (address !== shownAt) navigate(address, { replace: true })
  }, [address, shownAt, navigate])
  useDevice(writing)
  const hasRoom = useMedia(HAS_ROOM)
  const [view, setView] = useState<View>('both')
  const shown = hasRoom || view !== 'both' ? view : 'text'
  useShortcuts({ 'mod+s': () => void writing.save() })
  const changeRequest = useQuery({
    ...liveChangeRequest({ spaceId: of.id, changeRequestId: target.changeRequestId ?? '' }),
    enabled: target.changeRequestId !== undefined,
  }).data
  return (
    <div className="editor-screen">
      <Bar
        {...{ of, writing, preview, changeRequest }}
        view={shown}
        views={hasRoom ? ['text', 'both', 'preview'] : ['text', 'preview']}
        onView={setView}
      />
      {isClash && (
        <Suspense>
          <BothVersions writing={writing} />
        </Suspense>
      )}
      {/* It stays, and what can be undone in it. */}
      <div className={`editor editor-${shown}`} hidden={isClash}>
        {!isClash && <Heading writing={writing} />}
        <div className="editor-source" hidden={shown === 'preview'}>
          <Fields writing={writing} />
          <MarkdownEditor {...{ writing, preview }} organizationId={of.organization} />
        </div>
        {shown !== 'text' && <Preview {...{ writing, preview }} language={of.language} />}
      </div>
    </div>
  )
}

/** Also where the preview alone is shown. */
function Heading({ writing }: { readonly writing: PageWriting }) {
  const { title } = useStore(writing.fields)
  const heading = useHeading(t('editor.title', { title }))
  return (
    <h1 ref={heading} tabIndex={-1} className="visually-hidden">
      {t('editor.title', { title })}
    </h1>
  )
}

/** What waits for the network is sent when it is back; the device keeps what is unsaved, also when another tab saved. */
function useDevice(writing: PageWriting): void {
  useEffect(() => {
    const retry = () => {
      if (writing.state.get().kind === 'waiting') void writing.save()
    }
    const keep = () => writing.keep()
    const keepAgain = ({ newValue }: StorageEvent) => {
      if (newValue === null) writing.keep()
    }
    addEventListener('online', retry)
    addEventListener('pagehide', keep)
    addEventListener('storage', keepAgain)
    return () => {
      removeEventListener('online', retry)
      removeEventListener('pagehide', keep)
      removeEventListener('storage', keepAgain)
    }
  }, [writing])
}

const HAS_ROOM = '(width >= 1100px)'
