// Links that open a space to everyone who has them: made, named, turned off and on, and deleted.
import { useMutation } from '@tanstack/react-query'
import { use, useState } from 'react'
import { isReason } from '../../data/client.ts'
import {
  changeShareLink,
  createShareLink,
  deleteShareLink,
  readShareLinks,
  type ShareLink,
} from '../../data/share-links.ts'
import type { Space } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { shareLinkTexts } from '../../messages/share-links.ts'
import { Button } from '../../parts/button.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Field } from '../../parts/field.tsx'
import { Question } from '../../parts/question.tsx'
import { sayWhy } from '../../parts/refusals.ts'
import { Time } from '../../parts/time.tsx'
import { say, sayFailure } from '../../parts/toasts.tsx'

export default function ShareLinks({ space }: { readonly space: Space }) {
  if (shareLinkTexts !== undefined) use(shareLinkTexts)
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
    onError: error => {
      if (!isReason(error, 'answer_not_kept')) return sayFailure(error)
      // It was made when no answer came, and its address is told by the list alone.
      setName('')
      show.mutate()
    },
  })
  return (
    <section className="stack-small" aria-labelledby="workspace:share-links">
      <h3 id="workspace:share-links">{t('shareLinks.links')}</h3>
      <p className="small faint">
        {t(space.visibility === 'share-link' ? 'shareLinks.linksText' : 'shareLinks.linksUnused')}
      </p>
      {links === undefined ? (
        <div className="row">
          <Button isPending={show.isPending} onPress={() => show.mutate()}>
            {t('shareLinks.showLinks')}
          </Button>
        </div>
      ) : (
        <ul role="list" className="stack" aria-labelledby="workspace:share-links">
          {links.map(link => (
            <li key={link.id}>
              <OneLink
                space={space}
                link={link}
                onChange={changed => setLinks(all => all?.map(one => (one.id === link.id ? changed : one)))}
                onDelete={() => setLinks(all => all?.filter(({ id }) => id !== link.id))}
              />
            </li>
          ))}
        </ul>
      )}
      {links?.length === 0 && <p className="small faint">{t('shareLinks.noLinks')}</p>}
      <form
        className="row row-end"
        onSubmit={event => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <div className="grow">
          <Field label={t('shareLinks.name')} value={name} onChange={setName} />
        </div>
        <Button type="submit" isPending={create.isPending} isDisabled={name.trim() === ''}>
          {t('shareLinks.create')}
        </Button>
      </form>
    </section>
  )
}

type LinkProps = {
  readonly space: Space
  readonly link: ShareLink
  readonly onChange: (link: ShareLink) => void
  readonly onDelete: () => void
}

function OneLink({ space, link, onChange, onDelete }: LinkProps) {
  const [isRenamed, setRenamed] = useState(false)
  const [isDeleted, setDeleted] = useState(false)
  const toggle = useMutation({
    mutationFn: () => changeShareLink(space.id, link.id, { active: !link.active }),
    onSuccess: onChange,
    onError: sayFailure,
  })
  const { name } = link
  return (
    <div className="stack-small">
      {isRenamed ? (
        <Rename space={space} link={link} onChange={onChange} onClose={() => setRenamed(false)} />
      ) : (
        <div className="row">
          <p className="grow rows-title">
            <bdi>{link.name}</bdi>
          </p>
          {!link.active && <span className="small faint">{t('shareLinks.off')}</span>}
        </div>
      )}
      <p className="small faint">
        {t('shareLinks.made')} <Time value={link.createdAt} />
        {' · '}
        {link.lastUsedAt === undefined ? (
          t('shareLinks.unused')
        ) : (
          <>
            {t('shareLinks.used')} <Time value={link.lastUsedAt} />
          </>
        )}
      </p>
      {link.active && <CopyField label={t('shareLinks.linkOf', { name })} value={link.urls.published} />}
      {!isRenamed && (
        <div className="row wrap">
          <Button
            look="quiet"
            aria-label={t('shareLinks.renameOf', { name })}
            onPress={() => setRenamed(true)}
          >
            {t('shareLinks.rename')}
          </Button>
          <Button look="quiet" isPending={toggle.isPending} onPress={() => toggle.mutate()}>
            {t(link.active ? 'shareLinks.turnOff' : 'shareLinks.turnOn')}
          </Button>
          <Button
            look="quiet"
            aria-label={t('shareLinks.deleteOf', { name })}
            onPress={() => setDeleted(true)}
          >
            {t('shareLinks.delete')}
          </Button>
        </div>
      )}
      {isDeleted && (
        <Question
          title={t('shareLinks.deleteOf', { name })}
          verb={t('shareLinks.delete')}
          act={() => deleteShareLink(space.id, link.id)}
          onDone={() => {
            onDelete()
            say(t('shareLinks.deleted'))
          }}
          onClose={() => setDeleted(false)}
        >
          <p className="soft">{t('shareLinks.deleteText')}</p>
        </Question>
      )}
    </div>
  )
}

type RenameProps = Omit<LinkProps, 'onDelete'> & { readonly onClose: () => void }

function Rename({ space, link, onChange, onClose }: RenameProps) {
  const [text, setText] = useState(link.name)
  const name = text.trim()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => changeShareLink(space.id, link.id, { name }),
    onSuccess: changed => {
      onChange(changed)
      onClose()
    },
  })
  return (
    <form
      className="stack-small"
      onSubmit={event => {
        event.preventDefault()
        if (name === link.name) onClose()
        else mutate()
      }}
    >
      <Field
        label={t('shareLinks.newName')}
        value={text}
        onChange={setText}
        error={error === null ? undefined : sayWhy(error)}
        autoFocus
      />
      <div className="dialog-actions">
        <Button onPress={onClose}>{t('shareLinks.cancel')}</Button>
        <Button type="submit" look="primary" isPending={isPending} isDisabled={name === ''}>
          {t('shareLinks.save')}
        </Button>
      </div>
    </form>
  )
}
