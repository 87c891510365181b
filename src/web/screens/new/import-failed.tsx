// Why an import failed, above the form that it was begun with.
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { Operation } from '../../data/git.ts'
import { spaceAddress } from '../../data/pages.ts'
import { t } from '../../messages/messages.ts'
import { sayGitFailure } from '../../parts/git-words.ts'

type Props = { readonly spaceId: string; readonly operation: Operation }

export function ImportFailed({ spaceId, operation }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The button that began it was away meanwhile.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="notice danger" role="alert">
      <div className="stack">
        <h2 ref={heading} tabIndex={-1}>
          {t('newSpace.failed')}
        </h2>
        <p>{sayGitFailure(operation)}</p>
        <p>
          {t('newSpace.kept')} <Link href={spaceAddress(spaceId)}>{t('newSpace.openSpace')}</Link>
        </p>
      </div>
    </div>
  )
}
