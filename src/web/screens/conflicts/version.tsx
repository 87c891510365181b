// One version of a conflict: as readers would see it, with what changed, or as a fact.
import { useQuery } from '@tanstack/react-query'
import Download from 'lucide-react/icons/download'
import type { Place } from '../../data/change-request.ts'
import { type Conflict, pageHtmlOf, previewOf, type Side } from '../../data/conflicts.ts'
import { titlesOf } from '../../data/titles.ts'
import { language, t } from '../../messages/messages.ts'
import { Changed } from '../../parts/changed/changed.tsx'
import { ChangedText } from '../../parts/changed/changed-text.tsx'
import { Loaded } from '../../parts/state.tsx'
import { shapeOf } from './kinds.ts'

type Props = {
  readonly place: Place
  readonly conflict: Conflict
  readonly side: Side
  /** What the differences are to. */
  readonly against: Side | undefined
  /** The revision that both sides started from. */
  readonly base: string | undefined
}

export function Version(props: Props) {
  const { conflict, side, against } = props
  const value = conflict.versions[side]
  switch (shapeOf(conflict)) {
    case 'text':
      return <Text {...props} />
    case 'plain':
      return value === null ? (
        <Absent conflict={conflict} />
      ) : (
        <pre className="version-plain">
          <ChangedText before={textOf(conflict, against)} after={String(value)} />
        </pre>
      )
    case 'file':
      return value === null ? <Absent conflict={conflict} /> : <File value={value} />
    case 'page':
      return value === null ? <Absent conflict={conflict} /> : <Page {...props} />
    case 'fact':
      return <Fact {...props} />
  }
}

const textOf = ({ versions }: Conflict, side: Side | undefined): string | undefined => {
  const value = side === undefined ? null : versions[side]
  return typeof value === 'string' ? value : undefined
}

/** Where a side has nothing. */
const Absent = ({ conflict: { kind, field } }: Pick<Props, 'conflict'>) => (
  <p className="version-fact faint">
    {t(kind === 'block' || field === 'existence' ? 'conflicts.fact.deleted' : 'conflicts.fact.none')}
  </p>
)

function Text({ place, conflict, side, against }: Props) {
  const after = textOf(conflict, side)
  const before = textOf(conflict, against)
  const now = useQuery({
    ...previewOf(place, side, conflict.page, after ?? ''),
    enabled: after !== undefined,
  })
  const old = useQuery({
    ...previewOf(place, against ?? 'base', conflict.page, before ?? ''),
    enabled: before !== undefined,
  })
  if (after === undefined)
    return (
      <>
        <Absent conflict={conflict} />
        {before !== undefined && <Loaded query={old}>{html => <Changed before={html} after="" />}</Loaded>}
      </>
    )
  const data =
    now.data !== undefined && (before === undefined || old.data !== undefined)
      ? { now: now.data, old: before === undefined ? undefined : old.data }
      : undefined
  const query = {
    data,
    error: now.error ?? old.error,
    errorUpdatedAt: Math.max(now.errorUpdatedAt, old.errorUpdatedAt),
    refetch: () => Promise.all([now.refetch(), ...(before === undefined ? [] : [old.refetch()])]),
  }
  return (
    <Loaded query={query} lines={3}>
      {found => <Changed before={found.old} after={found.now} />}
    </Loaded>
  )
}

function Page({ place, conflict: { page = '', versions }, side, against, base }: Props) {
  const now = useQuery(pageHtmlOf(place, side, page, base))
  const isCompared = against !== undefined && versions[against] !== null
  const old = useQuery({ ...pageHtmlOf(place, against ?? 'base', page, base), enabled: isCompared })
  const data =
    now.data !== undefined && (!isCompared || old.data !== undefined)
      ? { now: now.data, old: isCompared ? old.data : undefined }
      : undefined
  const query = {
    data,
    error: now.error ?? old.error,
    errorUpdatedAt: Math.max(now.errorUpdatedAt, old.errorUpdatedAt),
    refetch: () => Promise.all([now.refetch(), old.refetch()]),
  }
  return (
    <Loaded query={query} lines={5}>
      {found => <Changed before={found.old} after={found.now} />}
    </Loaded>
  )
}

type FileFacts = {
  readonly contentType: string
  readonly size: number
  readonly dimensions?: { readonly width: number; readonly height: number }
  readonly downloadURL: string
}

function File({ value }: { readonly value: unknown }) {
  const { contentType, size, dimensions, downloadURL } = value as FileFacts
  return (
    <div className="version-file">
      {contentType.startsWith('image/') && <img src={downloadURL} alt="" />}
      <p className="small soft">
        {sayBytes(size)}
        {dimensions !== undefined && ` · ${dimensions.width} × ${dimensions.height}`} · {contentType}
      </p>
      <a className="button" href={downloadURL} download>
        <Download size={14} aria-hidden />
        {t('conflicts.download')}
      </a>
    </div>
  )
}

function sayBytes(bytes: number): string {
  const [value, unit] =
    bytes < KILO ? [bytes, 'byte'] : bytes < MEGA ? [bytes / KILO, 'kilobyte'] : [bytes / MEGA, 'megabyte']
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: String(unit),
    maximumFractionDigits: 1,
  }).format(Number(value))
}
const KILO = 1000
const MEGA = 1_000_000

function Fact({ place, conflict, side, against }: Props) {
  const { field = '', versions } = conflict
  const value = versions[side]
  const titles = useQuery({ ...titlesOf(place), enabled: field === 'parent' })
  if (field === 'parent')
    return (
      <p className="version-fact" dir="auto">
        {value === null
          ? t('conflicts.fact.top')
          : t('conflicts.fact.below', {
              title: titles.data?.[side === 'changeRequest' ? side : 'space'].get(String(value)) ?? '…',
            })}
      </p>
    )
  if (typeof value === 'boolean')
    return <p className="version-fact">{t(value ? 'conflicts.fact.yes' : 'conflicts.fact.no')}</p>
  if (typeof value === 'string' || typeof value === 'number')
    return (
      <p className="version-fact">
        <ChangedText before={textOf(conflict, against)} after={String(value)} />
      </p>
    )
  return value === null ? (
    <Absent conflict={conflict} />
  ) : (
    <pre className="version-plain">{JSON.stringify(value, null, 2)}</pre>
  )
}
