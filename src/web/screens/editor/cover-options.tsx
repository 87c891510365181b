// The picture above the title of a page: a file of the space, or an upload.
import { useQuery } from '@tanstack/react-query'
import Upload from 'lucide-react/icons/upload'
import { lazy, Suspense, useRef, useState } from 'react'
import { cache } from '../../data/cache.ts'
import { filesOf, isPicture } from '../../data/files.ts'
import { type Cover, type CoverSize, percentOfCover, positionOfCover } from '../../data/page-text.ts'
import { randomKey } from '../../data/random-key.ts'
import { useStore } from '../../data/store.ts'
import { sendFile } from '../../data/uploads.ts'
import type { PageWriting } from '../../editor/page-writing.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { sayFailure } from '../../parts/toasts.tsx'

const CoverPicture = lazy(() => import('./cover-picture.tsx'))
const Choice = lazy(() => import('../../parts/choice.tsx'))
const SIZES: readonly CoverSize[] = ['hero', 'full']
/** As fine as the reader shows it. */
const STEP = 5

export function CoverOptions({ writing }: { readonly writing: PageWriting }) {
  const { cover, layout } = useStore(writing.fields)
  const place = useStore(writing.place)
  const pictures = useQuery(filesOf(place)).data?.items.filter(isPicture)
  const field = useRef<HTMLInputElement>(null)
  const [part, setPart] = useState<number | null>(null)
  const chosen = cover?.ref?.kind === 'file' ? cover.ref.file : undefined
  const change = (next: Cover | null) => writing.change({ cover: next })
  const show = (file: string) => change({ yPos: 0, ...cover, ref: { kind: 'file', file } })

  const send = async (file: File) => {
    setPart(0)
    try {
      const draft = await writing.openDraft()
      const { id } = await sendFile(draft, file, {
        key: randomKey(),
        onProgress: setPart,
        signal: new AbortController().signal,
      })
      await cache.invalidateQueries({ queryKey: ['space', draft.spaceId, 'files'] })
      show(id)
    } catch (error) {
      sayFailure(error)
    } finally {
      setPart(null)
    }
  }

  return (
    <section className="stack-small" aria-labelledby="workspace:page-cover">
      <h3 id="workspace:page-cover">{t('editor.layout.cover')}</h3>
      <Suspense>
        {cover !== null && <CoverPicture cover={cover} place={place} />}
        {pictures !== undefined && pictures.length > 0 && (
          <Choice
            key={chosen ?? ''}
            label={t('editor.cover.choose')}
            options={pictures.map(({ id, name }) => ({ id, name }))}
            chosen={chosen}
            onChange={id => id !== undefined && show(id)}
          />
        )}
      </Suspense>
      <div className="row">
        <input
          ref={field}
          hidden
          type="file"
          accept="image/*"
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file !== undefined) void send(file)
            target.value = ''
          }}
        />
        <Button isDisabled={part !== null} onPress={() => field.current?.click()}>
          <Upload size={15} aria-hidden />
          {t('editor.cover.upload')}
        </Button>
        {part !== null && <progress aria-label={t('editor.cover.sending')} value={part} />}
        {cover !== null && <Button onPress={() => change(null)}>{t('editor.cover.remove')}</Button>}
      </div>
      {cover !== null && (
        <>
          <label className="field">
            <span>{t('editor.cover.position')}</span>
            <input
              type="range"
              min={0}
              max={100}
              step={STEP}
              value={percentOfCover(cover)}
              onChange={({ target }) => change({ ...cover, yPos: positionOfCover(Number(target.value)) })}
            />
          </label>
          <fieldset className="editor-sizes">
            <legend>{t('editor.cover.size')}</legend>
            {SIZES.map(size => (
              <label key={size}>
                <input
                  type="radio"
                  name="cover-size"
                  checked={layout.coverSize === size}
                  onChange={() => writing.change({ layout: { ...layout, coverSize: size } })}
                />
                {t(`editor.cover.${size}`)}
              </label>
            ))}
          </fieldset>
        </>
      )}
    </section>
  )
}
