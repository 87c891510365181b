// An empty space, or one with the pages of a template; its first page opens in the editor.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Form } from 'react-aria-components/Form'
import { useLocation } from 'wouter'
import { CONTENT_LANGUAGES } from '../../data/content-languages.ts'
import {
  createSpace,
  firstPageOf,
  type NewSpace,
  spacesChanged,
  templatesOf,
  writeFirstPage,
} from '../../data/new-space.ts'
import type { Organization } from '../../data/organization.ts'
import { editAddress } from '../../data/pages.ts'
import { randomKey } from '../../data/random-key.ts'
import { language as ownLanguage, t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import Choice from '../../parts/choice.tsx'
import { Field } from '../../parts/field.tsx'
import { sayWhy } from '../../parts/refusals.ts'
import { useDestination } from './destination.tsx'

const TITLE_CHARACTERS_MAX = 50
const EMOJI_CHARACTERS_MAX = 30
const LIBRARY = ['product-docs', 'api-reference', 'help-center'] as const
const EMPTY = 'blank'

export function Write({ of }: { readonly of: Organization }) {
  const { id: organizationId } = of
  const { destination, field } = useDestination(of)
  const [title, setTitle] = useState('')
  const [emoji, setEmoji] = useState('')
  const [language, setLanguage] = useState<string>()
  const [template, setTemplate] = useState<string>(EMPTY)
  const [, navigate] = useLocation()
  // What is sent again after a lost answer is done once; something else is another space.
  const sent = useRef({ body: '', key: '' })
  const templates = useQuery(templatesOf(organizationId)).data?.items
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (space: NewSpace) => {
      const body = JSON.stringify(space)
      if (sent.current.body !== body) sent.current = { body, key: randomKey() }
      const { key } = sent.current
      const { id } = await createSpace(organizationId, space, key)
      const page =
        space.template === undefined
          ? await writeFirstPage(id, space.title, `${key}-page`)
          : await firstPageOf(id)
      await spacesChanged(organizationId)
      return editAddress({ spaceId: id }, page)
    },
    onSuccess: address => navigate(address),
  })
  const send = () => {
    const chosen = CONTENT_LANGUAGES.find(one => one === language)
    mutate({
      title: title.trim(),
      ...(emoji.trim() === '' ? {} : { emoji: emoji.trim() }),
      ...destination,
      ...(chosen === undefined ? {} : { language: chosen }),
      ...(template === EMPTY ? {} : { template: { id: template } }),
    })
  }
  return (
    <Form
      className="stack"
      onSubmit={event => {
        event.preventDefault()
        if (!isPending) send()
      }}
    >
      <div className="new-space-name">
        <Field
          label={t('newSpace.name')}
          value={title}
          maxLength={TITLE_CHARACTERS_MAX}
          onChange={setTitle}
          isRequired
          autoFocus
        />
        <Field
          label={t('newSpace.emoji')}
          value={emoji}
          maxLength={EMOJI_CHARACTERS_MAX}
          onChange={setEmoji}
        />
      </div>
      {field}
      <Choice
        label={t('newSpace.language')}
        options={CONTENT_LANGUAGES.map(id => ({ id, name: nameOf(id) }))}
        chosen={language}
        all={t('newSpace.noLanguage')}
        onChange={setLanguage}
      />
      <Choice
        key={templates?.length}
        label={t('newSpace.start')}
        options={[
          { id: EMPTY, name: t('newSpace.empty') },
          ...LIBRARY.map(id => ({ id, name: t(`newSpace.template.${id}`) })),
          ...(templates ?? []).map(({ id, title: name }) => ({ id, name })),
        ]}
        chosen={template}
        onChange={id => setTemplate(id ?? EMPTY)}
      />
      {error !== null && (
        <p className="field-error" role="alert">
          {sayWhy(error)}
        </p>
      )}
      <div className="dialog-actions">
        <Button look="primary" type="submit" isPending={isPending}>
          {t('newSpace.create')}
        </Button>
      </div>
    </Form>
  )
}

const nameOf = (code: string): string =>
  new Intl.DisplayNames(ownLanguage, { type: 'language' }).of(code) ?? code
