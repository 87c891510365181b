// A new space: written, imported from a repository, or uploaded.
import { useQuery } from '@tanstack/react-query'
import { use } from 'react'
import { Link } from 'wouter'
import { useMayCreate } from '../../data/may-create.ts'
import { useOrganization } from '../../data/organization.ts'
import { collectionsOf } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { newTexts } from '../../messages/new.ts'
import { Screen } from '../../parts/screen.tsx'
import { Empty } from '../../parts/state.tsx'
import { FromGit } from './from-git.tsx'
import { Upload } from './upload.tsx'
import { Write } from './write.tsx'

const WAYS = ['write', 'git', 'upload'] as const
type Way = (typeof WAYS)[number]

type Props = { readonly way: string | undefined }

export function NewScreen({ way: asked }: Props) {
  if (newTexts !== undefined) use(newTexts)
  const organization = useOrganization()
  const mayCreate = useMayCreate(organization)
  const isKnown = useQuery({
    ...collectionsOf(organization?.id ?? ''),
    enabled: organization !== undefined,
  }).isSuccess
  const isRefused = !mayCreate && isKnown
  const way = WAYS.find(one => one === asked) ?? 'write'
  return (
    <Screen title={t('newSpace.title')}>
      {organization === undefined ? (
        <Empty text={t('home.noOrganization')} />
      ) : isRefused ? (
        <Empty text={t('newSpace.notAllowed')} />
      ) : (
        <div className="stack new-space">
          <Ways chosen={way} />
          {way === 'write' && <Write key={organization.id} of={organization} />}
          {way === 'upload' && <Upload key={organization.id} of={organization} />}
          {way === 'git' && <FromGit key={organization.id} organization={organization} />}
        </div>
      )}
    </Screen>
  )
}

const Ways = ({ chosen }: { readonly chosen: Way }) => (
  <nav className="tabs" aria-label={t('newSpace.ways')}>
    {WAYS.map(way => (
      <Link
        key={way}
        href={way === 'write' ? '/w/new' : `/w/new/${way}`}
        className="tab"
        aria-current={way === chosen ? 'page' : undefined}
      >
        {t(`newSpace.${way}`)}
      </Link>
    ))}
  </nav>
)
