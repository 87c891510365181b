// Imports a zip archive or a folder of this device into a new space.
import { useEffect, useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Form } from 'react-aria-components/Form'
import { navigate } from 'wouter/use-browser-location'
import { type Chosen, filesOfFolder } from '../../data/archive.ts'
import type { Organization } from '../../data/organization.ts'
import type { Progress } from '../../data/pack-folder.ts'
import { randomKey } from '../../data/random-key.ts'
import { useStore } from '../../data/store.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { sayGitWhy } from '../../parts/git-words.ts'
import { sayBytes } from '../../parts/say-bytes.ts'
import { archiveSending, beginSending, importAddress, isSending, stopSending } from './archive-sending.ts'
import { useDestination } from './destination.tsx'
import { ImportFailed } from './import-failed.tsx'
import { ImportProgress } from './import-progress.tsx'
import { useImport } from './use-import.ts'

const TITLE_CHARACTERS_MAX = 50

export function Upload({ of }: { readonly of: Organization }) {
  const { id: organizationId } = of
  const { destination, field } = useDestination(of)
  const last = useStore(archiveSending)
  const sending = last?.organizationId === organizationId ? last : null
  const [chosen, setChosen] = useState(sending?.chosen)
  const [title, setTitle] = useState(sending?.body.title ?? '')
  const going = useImport(organizationId)
  // What is sent again after a lost answer makes one space.
  const [spaceKey] = useState(() => sending?.key ?? randomKey())
  const { state } = sending ?? {}
  const error = state?.kind === 'failed' ? state.error : undefined
  const isBegun = state?.kind === 'begun'
  useEffect(() => {
    const sent = archiveSending.get()
    if (!isBegun || sent?.state.kind !== 'begun') return
    archiveSending.set(null)
    navigate(importAddress(sent.spaceId ?? '', sent.state.operationId), { replace: true })
  }, [isBegun])
  const choose = (next: Chosen) => {
    setChosen(next)
    setTitle([...next.name.replace(/\.zip$/i, '')].slice(0, TITLE_CHARACTERS_MAX).join(''))
    if (sending !== null) archiveSending.set({ ...sending, state: { kind: 'stopped' } })
  }
  const isOnItsWay = isSending(sending)
  return (
    <>
      {(state?.kind === 'packing' || state?.kind === 'uploading' || state?.kind === 'broken') && (
        <Sending of={state} />
      )}
      {going.running !== undefined && (
        <ImportProgress
          {...going.running}
          onDone={operation => going.end(operation, async () => {})}
          onFailed={going.failed}
        />
      )}
      <div className="stack" hidden={isOnItsWay || isBegun || going.running !== undefined}>
        {going.failure !== undefined && <ImportFailed {...going.failure} />}
        {error !== undefined && (
          <p className="notice danger" role="alert">
            {sayGitWhy(error)}
          </p>
        )}
        <p className="soft">{t('newSpace.uploadHint')}</p>
        <Form
          className="stack"
          onSubmit={event => {
            event.preventDefault()
            if (chosen === undefined) return
            const body = { title: title.trim(), ...destination }
            const made = going.spaceId ?? sending?.spaceId
            void beginSending({ organizationId, chosen, body, key: spaceKey }, made)
          }}
        >
          <div className="row">
            <FileTrigger
              acceptedFileTypes={['.zip', 'application/zip']}
              onSelect={list => {
                const file = list?.[0]
                if (file !== undefined)
                  choose({ name: file.name, files: [file], isArchive: true, key: randomKey() })
              }}
            >
              <Button>{t('newSpace.archive')}</Button>
            </FileTrigger>
            <FileTrigger
              acceptDirectory
              onSelect={list => {
                const files = filesOfFolder(list ?? [])
                const [name = ''] = files[0]?.webkitRelativePath.split('/') ?? []
                if (files.length > 0) choose({ name, files, isArchive: false, key: randomKey() })
              }}
            >
              <Button>{t('newSpace.folder')}</Button>
            </FileTrigger>
          </div>
          <p role="status">{chosen === undefined ? t('newSpace.nothingChosen') : saySize(chosen)}</p>
          {chosen !== undefined && (
            <>
              <Field
                label={t('newSpace.name')}
                hint={t('newSpace.nameHint')}
                value={title}
                maxLength={TITLE_CHARACTERS_MAX}
                onChange={setTitle}
              />
              {field}
              <div className="dialog-actions">
                <Button look="primary" type="submit">
                  {t('newSpace.import')}
                </Button>
              </div>
            </>
          )}
        </Form>
      </div>
    </>
  )
}

type SendingProps = {
  readonly of: ({ readonly kind: 'packing' | 'uploading' } & Progress) | { readonly kind: 'broken' }
}

const Sending = ({ of }: SendingProps) => (
  <section className="card new-space-card stack" aria-label={t('newSpace.running')}>
    {of.kind === 'broken' ? (
      <p role="status">{t('newSpace.broken')}</p>
    ) : (
      <>
        <p className="row">
          <span className="grow">{t(`newSpace.${of.kind}`)}</span>
          <span className="numbers soft">
            {t('newSpace.of', { done: sayBytes(of.done), total: sayBytes(of.total) })}
          </span>
        </p>
        <progress
          className="new-space-bar"
          aria-label={t(`newSpace.${of.kind}`)}
          max={Math.max(of.total, 1)}
          value={of.done}
        />
      </>
    )}
    <p className="soft small">{t('newSpace.stay')}</p>
    <div className="dialog-actions">
      <Button onPress={stopSending}>{t('changeRequest.cancel')}</Button>
    </div>
  </section>
)

const saySize = ({ name, files }: Chosen): string =>
  `${name}: ${t('newSpace.chosen', {
    count: files.length,
    size: sayBytes(files.reduce((sum, { size }) => sum + size, 0)),
  })}`
