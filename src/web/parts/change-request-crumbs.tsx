// The space of a change request, and the list that it is in; with children the steps below them.
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { spaceAddress } from '../data/pages.ts'
import type { Space } from '../data/spaces.ts'
import { t } from '../messages/messages.ts'

type Props = { readonly of: Space; readonly children?: ReactNode }

export const ChangeRequestCrumbs = ({ of, children }: Props) => (
  <p className="crumbs">
    <Link href={spaceAddress(of.id)}>
      <bdi>{of.title === '' ? t('space.untitled') : of.title}</bdi>
    </Link>
    <span aria-hidden="true">/</span>
    <Link href={`${spaceAddress(of.id)}/c`}>{t('changeRequests.title')}</Link>
    {children}
  </p>
)
