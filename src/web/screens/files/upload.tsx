// Takes files by a button and by dropping them, and shows how far each is, and why one is not there.
import { useSuspenseQuery } from '@tanstack/react-query'
import RotateCw from 'lucide-react/icons/rotate-cw'
import UploadIcon from 'lucide-react/icons/upload'
import X from 'lucide-react/icons/x'
import { type DragEvent, type ReactNode, useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { ApiError, isStatus } from '../../data/client.ts'
import { fileBytesMax } from '../../data/files.ts'
import type { ContentPlace } from '../../data/pages.ts'
import { me } from '../../data/people.ts'
import { isolated, t } from '../../messages/messages.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { sayWhy } from '../../parts/refusals.ts'
import { sayBytes } from '../../parts/say-bytes.ts'
import { type Chosen, isOnItsWay, queueFiles, remove, retry, type Sending, useSendings } from './sendings.ts'

type DropProps = { readonly place: ContentPlace; readonly children: ReactNode }

/** Takes files wherever on the screen they are dropped. */
export function DropZone({ place, children }: DropProps) {
  const { id: personId } = useSuspenseQuery(me).data
  const [isOver, setOver] = useState(false)
  const isOfFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')
  return (
    <section
      className={isOver ? 'file-zone over' : 'file-zone'}
      aria-label={t('files.title')}
      onDragOver={event => {
        if (!isOfFiles(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={event => {
        // Its parts are left all the time.
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={event => {
        if (!isOfFiles(event)) return
        event.preventDefault()
        setOver(false)
        queueFiles({ place, personId, replaced: undefined }, droppedOf(event))
      }}
    >
      {children}
    </section>
  )
}

const droppedOf = ({ dataTransfer }: DragEvent): Chosen[] =>
  [...dataTransfer.items].flatMap(item => {
    const file = item.getAsFile()
    return file === null ? [] : [{ file, isFolder: item.webkitGetAsEntry()?.isDirectory === true }]
  })

export function Upload({ place }: { readonly place: ContentPlace }) {
  const { id: personId } = useSuspenseQuery(me).data
  return (
    <div className="file-upload">
      <FileTrigger
        allowsMultiple
        onSelect={list =>
          queueFiles(
            { place, personId, replaced: undefined },
            [...(list ?? [])].map(file => ({ file, isFolder: false })),
          )
        }
      >
        <Button look="primary">
          <UploadIcon size={15} aria-hidden />
          {t('files.upload')}
        </Button>
      </FileTrigger>
      <span className="soft file-hint">{t('files.drop')}</span>
    </div>
  )
}

export function Sendings({ spaceId }: { readonly spaceId: string }) {
  const sendings = useSendings(spaceId)
  const left = sendings.filter(isOnItsWay)
  const failed = sendings.length - left.length
  return (
    <>
      <p className="visually-hidden" role="status">
        {left.length > 0
          ? t('files.sending.left', { count: left.length })
          : failed > 0
            ? t('files.sending.failed', { count: failed })
            : ''}
      </p>
      {sendings.length > 0 && (
        <section className="card sendings" aria-labelledby="workspace:sendings">
          <header className="sendings-head">
            <h2 id="workspace:sendings">{t('files.sending.title')}</h2>
            {left.length > 1 && (
              <Button
                look="quiet"
                onPress={() => {
                  for (const { key } of left) remove(key)
                }}
              >
                {t('files.sending.stopAll')}
              </Button>
            )}
          </header>
          <ul>
            {sendings.map(sending => (
              <Row key={sending.key} sending={sending} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function Row({ sending }: { readonly sending: Sending }) {
  const { key, file, state } = sending
  const name = isolated(file.name)
  const isFailed = !isOnItsWay(sending)
  return (
    <li className={isFailed ? 'sending failed' : 'sending'}>
      <div className="grow">
        <bdi className="truncate">{file.name}</bdi>
        {state.kind === 'sending' && (
          <progress aria-label={t('files.sending.progress', { name })} max={1} value={state.part} />
        )}
        <span className={isFailed ? 'field-error' : 'faint small'}>{saidOf(sending)}</span>
      </div>
      {state.kind === 'failed' && (
        <Button onPress={() => retry(key)}>
          <RotateCw size={14} aria-hidden />
          {t('files.sending.retry')}
        </Button>
      )}
      <IconButton
        label={t(isFailed ? 'files.sending.remove' : 'files.sending.stop', { name })}
        onPress={() => remove(key)}
      >
        <X size={15} aria-hidden />
      </IconButton>
    </li>
  )
}

function saidOf({ file, state }: Sending): string {
  switch (state.kind) {
    case 'waiting':
      return t('files.sending.waiting')
    case 'sending':
      return t('files.sending.of', { done: sayBytes(state.part * file.size), total: sayBytes(file.size) })
    case 'broken':
      return t('files.sending.again')
    case 'prevented':
      return sayObstacle(state.by)
    case 'failed':
      return sayFailed(state.error)
  }
}

const tooLarge = (): string => t('files.sending.tooLarge', { max: sayBytes(fileBytesMax()) })

function sayObstacle(by: Extract<Sending['state'], { kind: 'prevented' }>['by']): string {
  if (by === 'tooLarge') return tooLarge()
  return by === 'folder' ? t('files.sending.folder') : t(`files.${by}`)
}

function sayFailed(error: unknown): string {
  if (isStatus(error, 413)) return tooLarge()
  return error instanceof ApiError && error.status === 0 ? t('files.sending.broken') : sayWhy(error)
}
