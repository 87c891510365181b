// Imports a zip archive or a folder of this device into a new space.
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Form } from 'react-aria-components/Form'
import { type Chosen, filesOfFolder, packFolder, sendArchive } from '../../data/archive.ts'
import { createSpace } from '../../data/new-space.ts'
import type { Organization } from '../../data/organization.ts'
import type { Progress } from '../../data/pack-folder.ts'
import { randomKey } from '../../data/random-key.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { sayGitWhy } from '../../parts/git-words.ts'
import { sayBytes } from '../../parts/say-bytes.ts'
import { useDestination } from './destination.tsx'
import { ImportFailed } from './import-failed.tsx'
import { ImportProgress } from './import-progress.tsx'
import { useImport } from './use-import.ts'

const TITLE_CHARACTERS_MAX = 50

type Step = { readonly name: 'packing' | 'uploading' } & Progress

export function Upload({ of }: { readonly of: Organization }) {
  const { id: organizationId } = of
  const { destination, field } = useDestination(of)
  const [chosen, setChosen] = useState<Chosen>()
  const [title, setTitle] = useState('')
  const [step, setStep] = useState<Step>()
  const going = useImport(organizationId)
  // What is sent again after a lost answer makes one space.
  const [spaceKey] = useState(randomKey)
  const isAsked = useRef(false)
  const start = useMutation({
    mutationFn: async ({ files, isArchive }: Chosen) => {
      const [first] = files
      if (first === undefined) return
      const archive = isArchive
        ? first
        : await packFolder(files, progress => setStep({ name: 'packing', ...progress }))
      const id =
        going.spaceId ??
        (await createSpace(organizationId, { title: title.trim(), ...destination }, spaceKey)).id
      going.spaceMade(id)
      going.begun(await sendArchive(id, archive, progress => setStep({ name: 'uploading', ...progress })))
    },
    onSettled: () => {
      isAsked.current = false
      setStep(undefined)
    },
  })
  const choose = (next: Chosen) => {
    setChosen(next)
    setTitle([...next.name.replace(/\.zip$/i, '')].slice(0, TITLE_CHARACTERS_MAX).join(''))
    start.reset()
  }
  return (
    <>
      {step !== undefined && <Sending of={step} />}
      {going.running !== undefined && (
        <ImportProgress
          {...going.running}
          onDone={operation => going.end(operation, async () => {})}
          onFailed={going.failed}
        />
      )}
      <div className="stack" hidden={step !== undefined || going.running !== undefined}>
        {going.failure !== undefined && <ImportFailed {...going.failure} />}
        {start.error !== null && (
          <p className="notice danger" role="alert">
            {sayGitWhy(start.error)}
          </p>
        )}
        <p className="soft">{t('newSpace.uploadHint')}</p>
        <Form
          className="stack"
          onSubmit={event => {
            event.preventDefault()
            if (chosen === undefined || isAsked.current) return
            isAsked.current = true
            start.mutate(chosen)
          }}
        >
          <div className="row">
            <FileTrigger
              acceptedFileTypes={['.zip', 'application/zip']}
              onSelect={list => {
                const file = list?.[0]
                if (file !== undefined) choose({ name: file.name, files: [file], isArchive: true })
              }}
            >
              <Button>{t('newSpace.archive')}</Button>
            </FileTrigger>
            <FileTrigger
              acceptDirectory
              onSelect={list => {
                const files = filesOfFolder(list ?? [])
                const [name = ''] = files[0]?.webkitRelativePath.split('/') ?? []
                if (files.length > 0) choose({ name, files, isArchive: false })
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
                <Button look="primary" type="submit" isPending={start.isPending}>
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

const Sending = ({ of: { name, done, total } }: { readonly of: Step }) => (
  <section className="card new-space-card stack" aria-label={t('newSpace.running')}>
    <p className="row">
      <span className="grow">{t(`newSpace.${name}`)}</span>
      <span className="numbers soft">
        {t('newSpace.of', { done: sayBytes(done), total: sayBytes(total) })}
      </span>
    </p>
    <progress
      className="new-space-bar"
      aria-label={t(`newSpace.${name}`)}
      max={Math.max(total, 1)}
      value={done}
    />
    <p className="soft small">{t('newSpace.stay')}</p>
  </section>
)

const saySize = ({ name, files }: Chosen): string =>
  `${name}: ${t('newSpace.chosen', {
    count: files.length,
    size: sayBytes(files.reduce((sum, { size }) => sum + size, 0)),
  })}`
