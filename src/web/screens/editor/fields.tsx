// The title and the description of a page, above its text.
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { takeNewPage } from '../../data/new-page.ts'
import { useStore } from '../../data/store.ts'
import type { PageWriting } from '../../editor/page-writing.ts'
import { t } from '../../messages/messages.ts'

const TITLE_CHARACTERS_MAX = 250
const DESCRIPTION_CHARACTERS_MAX = 2000

export function Fields({ writing }: { readonly writing: PageWriting }) {
  const { title, description } = useStore(writing.fields)
  const field = useRef<HTMLTextAreaElement>(null)
  // After the heading: a page that begins is named first.
  useEffect(() => {
    if (takeNewPage()) field.current?.select()
  }, [])
  return (
    <div className="editor-fields">
      <Growing
        field={field}
        className="editor-title"
        label={t('editor.pageTitle')}
        value={title}
        maxLength={TITLE_CHARACTERS_MAX}
        onChange={next => writing.change({ title: next })}
      />
      {title.trim() === '' && (
        <p className="field-error" role="alert">
          {t('editor.titleMissing')}
        </p>
      )}
      <Growing
        className="editor-description"
        label={t('editor.description')}
        placeholder={t('editor.description')}
        value={description}
        maxLength={DESCRIPTION_CHARACTERS_MAX}
        onChange={next => writing.change({ description: next })}
      />
    </div>
  )
}

type GrowingProps = {
  readonly field?: RefObject<HTMLTextAreaElement | null>
  readonly className: string
  readonly label: string
  readonly placeholder?: string
  readonly value: string
  readonly maxLength: number
  readonly onChange: (value: string) => void
}

/** A field of one line that shows all of it. Enter leads on to the text. */
function Growing({ field: given, className, label, onChange, ...props }: GrowingProps) {
  const own = useRef<HTMLTextAreaElement>(null)
  const field = given ?? own
  const { value } = props
  // biome-ignore lint/correctness/useExhaustiveDependencies: its height is that of what is in it
  useLayoutEffect(() => {
    const { current } = field
    if (current === null) return
    current.style.blockSize = 'auto'
    current.style.blockSize = `${current.scrollHeight}px`
  }, [value])
  return (
    <textarea
      ref={field}
      {...props}
      className={className}
      aria-label={label}
      rows={1}
      dir="auto"
      onChange={event => onChange(event.target.value.replace(/[\r\n]+/g, ' '))}
      onKeyDown={event => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
        event.preventDefault()
        event.currentTarget.closest('main')?.querySelector<HTMLElement>('.cm-content')?.focus()
      }}
    />
  )
}
