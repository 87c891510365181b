// Sessions and tokens are for somebody who is signed in with all of their rights.
import type { ReactNode } from 'react'
import { isStatus } from '../../data/client.ts'
import { t } from '../../messages/messages.ts'

type Props = { readonly error: Error | null; readonly children: ReactNode }

export const Unlimited = ({ error, children }: Props) =>
  isStatus(error, 403) ? <p className="soft">{t('me.limited')}</p> : children
