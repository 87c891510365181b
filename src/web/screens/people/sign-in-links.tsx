// The links that were just made, to be passed on: one by one, or all at once. They are shown this once.
import Copy from 'lucide-react/icons/copy'
import Download from 'lucide-react/icons/download'
import { useEffect, useState } from 'react'
import type { SignInLink, SignInLinks } from '../../data/sign-in-links.ts'
import { isolated, t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { sayWhy } from '../../parts/refusals.ts'
import { RowList } from '../../parts/row-list.tsx'
import { Time } from '../../parts/time.tsx'
import { say } from '../../parts/toasts.tsx'

type Props = {
  readonly made: SignInLinks
  /** Makes those that are still missing. */
  readonly onMissing: () => void
  readonly isPending: boolean
}

export function SignInLinksMade({ made: { links, refused, left, error }, onMissing, isPending }: Props) {
  const [first] = links
  return (
    <div className="stack-small">
      {first !== undefined && (
        <>
          <p>
            {t('links.text', { count: links.length })} {t('links.ends', { count: links.length })}{' '}
            <Time value={first.expiresAt} />
          </p>
          {links.length > 1 && <Together links={links} />}
          <RowList
            label={t('links.list')}
            items={links.map(link => ({ ...link, id: link.user }))}
            nameOf={({ email }) => email}
          >
            {({ email, url }) => (
              <div className="grow">
                <bdi className="small">{email}</bdi>
                <CopyField label={t('links.of', { address: email })} value={url} />
              </div>
            )}
          </RowList>
        </>
      )}
      {refused.map(({ user, email, why }) => (
        <p key={user} className="soft">
          {t(`links.why.${why}`, { address: isolated(email) })}
        </p>
      ))}
      {error !== null && (
        <div className="row">
          <p className="field-error grow" role="alert">
            {t('links.left', { count: left.length })} {sayWhy(error)}
          </p>
          <Button isPending={isPending} onPress={onMissing}>
            {t('links.make')}
          </Button>
        </div>
      )}
    </div>
  )
}

function Together({ links }: { readonly links: readonly SignInLink[] }) {
  const [file, setFile] = useState<string>()
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([toTable(links)], { type: 'text/csv' }))
    setFile(url)
    return () => URL.revokeObjectURL(url)
  }, [links])
  const copy = async () => {
    await navigator.clipboard.writeText(links.map(({ email, url }) => `${email}\t${url}`).join('\n'))
    say(t('links.copied', { count: links.length }))
  }
  return (
    <div className="row">
      {window.isSecureContext && (
        <Button onPress={copy}>
          <Copy size={16} aria-hidden />
          {t('links.copyAll')}
        </Button>
      )}
      <a className="button" href={file} download={t('links.file')}>
        <Download size={16} aria-hidden />
        {t('links.download')}
      </a>
    </div>
  )
}

/** RFC 4180. */
const toTable = (links: readonly SignInLink[]): string =>
  [['email', 'url', 'expires'], ...links.map(({ email, url, expiresAt }) => [email, url, expiresAt])]
    .map(fields => fields.map(field => `"${field.replaceAll('"', '""')}"`).join(','))
    .join('\r\n')
