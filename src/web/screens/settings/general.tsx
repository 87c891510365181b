// What a space is called, in which language it is, how it is edited, and who reads it.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { emojiOf } from '../../data/pages.ts'
import { ROLES } from '../../data/roles.ts'
import { changeSpace } from '../../data/settings.ts'
import type { Space } from '../../data/spaces.ts'
import { nameOfLanguage, t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { MenuChoice } from '../../parts/menu-choice.tsx'
import { say, sayFailure } from '../../parts/toasts.tsx'
import { VisibilityMenu } from '../space/visibility-menu.tsx'

const TITLE_CHARACTERS_MAX = 50
const EMOJI_CHARACTERS_MAX = 50

// Those that the API takes.
const LANGUAGES = [
  ...['en', 'fr', 'de', 'es', 'it', 'pt', 'pt-br', 'ru', 'ja', 'zh', 'zh-tw', 'yue', 'ko', 'ar', 'hi', 'nl'],
  ...['pl', 'tr', 'sv', 'no', 'da', 'fi', 'el', 'cs', 'hu', 'ro', 'th', 'vi', 'id', 'ms', 'he', 'uk', 'sk'],
  ...['bg', 'hr', 'lt', 'lv', 'et', 'sl'],
] as readonly NonNullable<Space['language']>[]

// No language is it.
const UNSAID = ''

const LEVELS = ['inherit', ...ROLES, 'none'] as const

export function General({ of }: { readonly of: Space }) {
  const change = useMutation({
    mutationFn: (body: Parameters<typeof changeSpace>[1]) => changeSpace(of.id, body),
    onSuccess: () => say(t('settings.saved')),
    onError: sayFailure,
  })
  return (
    <section className="stack" aria-label={t('settings.general')}>
      <h2>{t('settings.general')}</h2>
      <Names of={of} isPending={change.isPending} onSave={change.mutate} />
      <div className="row">
        <span className="grow">{t('settings.language')}</span>
        <MenuChoice
          label={t('settings.language')}
          options={[
            // It is not taken back.
            ...(of.language === undefined ? [{ id: UNSAID, title: t('settings.noLanguage') } as const] : []),
            ...LANGUAGES.map(id => ({ id, title: nameOfLanguage(id) })),
          ]}
          chosen={of.language ?? UNSAID}
          onChange={language => {
            if (language !== UNSAID) change.mutate({ language })
          }}
        />
      </div>
      <div className="row">
        <span className="grow">{t('settings.edits')}</span>
        <MenuChoice
          label={t('settings.edits')}
          options={(['live', 'locked'] as const).map(id => ({ id, title: t(`settings.edit.${id}`) }))}
          chosen={of.editMode}
          onChange={editMode => change.mutate({ editMode })}
        />
      </div>
      <div className="row">
        <span className="grow">{t('settings.readers')}</span>
        <VisibilityMenu space={of} />
      </div>
      <div className="row">
        <p className="grow">
          {t('settings.level')} <span className="setting-text">{t('settings.levelText')}</span>
        </p>
        <MenuChoice
          label={t('settings.level')}
          options={LEVELS.map(id => ({ id, title: t(`role.${id}`) }))}
          chosen={of.defaultLevel ?? 'none'}
          onChange={level => change.mutate({ defaultLevel: level === 'none' ? null : level })}
        />
      </div>
    </section>
  )
}

type NamesProps = {
  readonly of: Space
  readonly isPending: boolean
  readonly onSave: (names: { readonly title: string; readonly emoji: string | null }) => void
}

function Names({ of, isPending, onSave }: NamesProps) {
  const before = { title: of.title, emoji: emojiOf(of.emoji) ?? '' }
  const [title, setTitle] = useState(before.title)
  const [emoji, setEmoji] = useState(before.emoji)
  const isChanged = title.trim() !== before.title || emoji.trim() !== before.emoji
  return (
    <form
      className="stack"
      onSubmit={event => {
        event.preventDefault()
        onSave({ title: title.trim(), emoji: emoji.trim() === '' ? null : emoji.trim() })
      }}
    >
      <Field label={t('settings.name')} value={title} onChange={setTitle} maxLength={TITLE_CHARACTERS_MAX} />
      <Field
        label={t('settings.emoji')}
        hint={t('settings.emojiHint')}
        value={emoji}
        onChange={setEmoji}
        maxLength={EMOJI_CHARACTERS_MAX}
      />
      <div>
        <Button type="submit" isPending={isPending} isDisabled={!isChanged}>
          {t('settings.save')}
        </Button>
      </div>
    </form>
  )
}
