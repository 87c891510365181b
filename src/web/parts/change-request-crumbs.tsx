// The space of a change request, and the list that it is in; with children the steps below them.
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { spaceAddress } from '../data/pages.ts'
import type { Space } from '../data/spaces.ts'
import { t } from '../messages/messages.ts'
import { SpaceCrumbs } from './space-crumbs.tsx'

type Props = { readonly of: Space; readonly children?: ReactNode }

export const ChangeRequestCrumbs = ({ of, children }: Props) => (
  <SpaceCrumbs of={of}>
    <span aria-hidden="true">/</span>
    <Link href={`${spaceAddress(of.id)}/c`}>{t('changeRequests.title')}</Link>
    {children}
  </SpaceCrumbs>
)
