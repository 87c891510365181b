// The picture above the title, as readers see it.
import { useQuery } from '@tanstack/react-query'
import { addressOfFile, filesOf } from '../../data/files.ts'
import { type Cover, percentOfCover } from '../../data/page-text.ts'
import type { ContentPlace } from '../../data/pages.ts'
import { t } from '../../messages/messages.ts'

type Props = { readonly cover: Cover; readonly place: ContentPlace }

export default function CoverPicture({ cover, place }: Props) {
  const { ref, refDark } = cover
  const files = useQuery(filesOf(place)).data?.items
  const addressOf = (one: Cover['ref']) => {
    if (one?.kind === 'url') return one.url
    const file = one && files?.find(({ id }) => id === one.file)
    return file && addressOfFile(file)
  }
  const src = addressOf(ref) ?? addressOf(refDark)
  if (files === undefined) return null
  if (src === undefined) return <p className="faint">{t('editor.cover.missing')}</p>
  return (
    <img
      className="editor-cover"
      src={src}
      alt=""
      height={cover.height}
      style={{ objectPosition: `50% ${percentOfCover(cover)}%` }}
    />
  )
}
