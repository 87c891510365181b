// Sessions and tokens are for somebody who is signed in with all of their rights.
import type { ReactNode } from 'react'
import { isStatus } from '../../data/client.ts'
import { t } from '../../messages/messages.ts'
import { type Query, useFailure } from '../../parts/state.tsx'

type Props = { readonly query: Query<unknown>; readonly children: ReactNode }

export const Unlimited = ({ query, children }: Props) =>
  isStatus(useFailure(query), 403) ? <p className="soft">{t('me.limited')}</p> : children
