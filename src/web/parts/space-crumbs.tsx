// The way back to the space of a screen, above its heading; with children the steps below the space.
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { spaceAddress } from '../data/pages.ts'
import type { Space } from '../data/spaces.ts'
import { t } from '../messages/messages.ts'

type Props = { readonly of: Space; readonly children?: ReactNode }

export const SpaceCrumbs = ({ of, children }: Props) => (
  <p className="crumbs">
    <Link href={spaceAddress(of.id)}>
      <bdi>{of.title === '' ? t('space.untitled') : of.title}</bdi>
    </Link>
    {children}
  </p>
)
