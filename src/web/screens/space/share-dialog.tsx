// Addresses to give to others: that of the reader, who may open it, and for admins links that open it to whoever has them.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { TreePage } from '../../data/pages.ts'
import {
  createShareLink,
  readShareLinks,
  type ShareLink,
  setShareLinkActive,
} from '../../data/share-links.ts'
import type { Space } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { Time } from '../../parts/time.tsx'
import { sayFailure } from '../../parts/toasts.tsx'
import { VisibilityMenu } from './visibility-menu.tsx'

type Props = {
  readonly space: Space
  readonly page?: TreePage | undefined
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function ShareDialog({ space, page, isOpen, onClose }: Props) {
  return (
    <Dialog title={t('share.title')} isOpen={isOpen} onClose={onClose} isDismissable>
      <section className="stack-small" aria-labelledby="workspace:share-reader">
        <h3 id="workspace:share-reader">{t('share.reader')}</h3>
        <CopyField label={t('share.address')} value={readerAddress(space, page)} />
        <div className="row">
          <p className="small faint grow">{t(`share.visibility.${space.visibility}`)}</p>
          {space.permissions.admin && <VisibilityMenu space={space} />}
        </div>
      </section>
      {space.permissions.admin && <ShareLinks space={space} />}
      <div className="dialog-actions">
        <a className="button" href={readerAddress(space, page)}>
          {t('share.open')}
        </a>
        <Button onPress={onClose}>{t('share.close')}</Button>
      </div>
    </Dialog>
  )
}

const readerAddress = ({ id, urls }: Space, page: TreePage | undefined): string =>
  page?.urls?.app ?? urls.published ?? `${location.origin}/s/${id}`

function ShareLinks({ space }: { readonly space: Space }) {
  const [links, setLinks] = useState<readonly ShareLink[]>()
  const [name, setName] = useState('')
  const show = useMutation({
    mutationFn: () => readShareLinks(space.id),
    onSuccess: setLinks,
    onError: sayFailure,
  })
  const create = useMutation({
    mutationFn: () => createShareLink(space.id, name.trim()),
    onSuccess: made => {
      setName('')
      if (links === undefined) show.mutate()
      else setLinks([...links, made])
    },
    onError: sayFailure,
  })
  const toggle = useMutation({
    mutationFn: ({ id, active }: { readonly id: string; readonly active: boolean }) =>
      setShareLinkActive(space.id, id, active),
    onSuccess: changed => setLinks(links?.map(one => (one.id === changed.id ? changed : one))),
    onError: sayFailure,
  })
  return (
    <section className="stack-small" aria-labelledby="workspace:share-links">
      <h3 id="workspace:share-links">{t('share.links')}</h3>
      <p className="small faint">
        {space.visibility === 'share-link' ? t('share.linksText') : t('share.linksUnused')}
      </p>
      {links === undefined ? (
        <div className="row">
          <Button isPending={show.isPending} onPress={() => show.mutate()}>
            {t('share.showLinks')}
          </Button>
        </div>
      ) : (
        <ul role="list" className="stack-small" aria-labelledby="workspace:share-links">
          {links.map(one => (
            <li key={one.id} className="stack-small">
              <div className="row">
                <span className="grow rows-title">{one.name}</span>
                <span className="small faint">
                  {one.active ? <Time value={one.createdAt} /> : t('share.off')}
                </span>
                <Button
                  look="quiet"
                  isPending={toggle.isPending && toggle.variables.id === one.id}
                  onPress={() => toggle.mutate({ id: one.id, active: !one.active })}
                >
                  {one.active ? t('share.turnOff') : t('share.turnOn')}
                </Button>
              </div>
              {one.active && (
                <CopyField label={t('share.linkOf', { name: one.name })} value={one.urls.published} />
              )}
            </li>
          ))}
        </ul>
      )}
      {links?.length === 0 && <p className="small faint">{t('share.noLinks')}</p>}
      <form
        className="row row-end"
        onSubmit={event => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <div className="grow">
          <Field label={t('share.name')} value={name} onChange={setName} />
        </div>
        <Button type="submit" isPending={create.isPending} isDisabled={name.trim() === ''}>
          {t('share.create')}
        </Button>
      </form>
    </section>
  )
}
