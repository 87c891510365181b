// The address of a repository, with user and password where it is private.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Form } from 'react-aria-components/Form'
import { probe, type Repository } from '../../data/git.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { sayGitWhy } from '../../parts/git-words.ts'

type Props = {
  readonly organizationId: string
  readonly asked: Repository | undefined
  readonly onAsk: (repository: Repository) => void
}

const NOTHING: Repository = { url: '', username: '', password: '' }
const URL_CHARACTERS_MAX = 2048

export function RepositoryForm({ organizationId, asked, onAsk }: Props) {
  const [typed, setTyped] = useState<Repository>(NOTHING)
  const { error, isFetching, refetch } = useQuery({
    ...probe(organizationId, asked ?? NOTHING),
    enabled: asked !== undefined,
  })
  const isSame = JSON.stringify(typed) === JSON.stringify(asked)
  const ask = (repository: Repository) => {
    const url = repository.url.trim()
    if (url === '') return
    if (isSame) void refetch()
    else onAsk({ ...repository, url })
  }
  return (
    <Form
      className="stack"
      onSubmit={event => {
        event.preventDefault()
        ask(typed)
      }}
    >
      <Field
        label={t('newSpace.address')}
        hint={t('newSpace.addressHint')}
        type="text"
        inputMode="url"
        autoComplete="off"
        spellCheck="false"
        maxLength={URL_CHARACTERS_MAX}
        autoFocus
        value={typed.url}
        onChange={url => setTyped({ ...typed, url })}
        onPaste={event => {
          // What replaces nothing is asked at once.
          const url = event.clipboardData?.getData('text').trim() ?? ''
          if (typed.url === '' && URL.canParse(url)) {
            event.preventDefault()
            setTyped({ ...typed, url })
            ask({ ...typed, url })
          }
        }}
        error={error === null || !isSame ? undefined : sayGitWhy(error)}
      />
      <details>
        <summary>{t('newSpace.private')}</summary>
        <div className="stack new-space-private">
          <Field
            label={t('newSpace.username')}
            hint={t('newSpace.usernameHint')}
            autoComplete="off"
            value={typed.username}
            onChange={username => setTyped({ ...typed, username })}
          />
          <Field
            label={t('newSpace.password')}
            hint={t('newSpace.passwordHint')}
            type="password"
            autoComplete="off"
            value={typed.password}
            onChange={password => setTyped({ ...typed, password })}
          />
        </div>
      </details>
      <div className="row">
        <Button type="submit" isPending={isFetching} look={asked === undefined ? 'primary' : undefined}>
          {t('newSpace.look')}
        </Button>
        {isFetching && (
          <span className="soft" role="status">
            {t('newSpace.looking')}
          </span>
        )}
      </div>
    </Form>
  )
}
