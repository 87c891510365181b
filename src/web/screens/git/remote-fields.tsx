// Where a repository is, which of its branches and directories is meant, and as who it is read and written. Credentials
// are in memory only, so they are typed each time.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Operation, operationsOf, urlWithCredentials } from '../../data/git.ts'
import type { Space } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { Field } from '../../parts/field.tsx'
import { branchOf } from './operation-row.tsx'

type RemoteTyped = {
  readonly url: string
  readonly branch: string
  readonly root: string
  readonly username: string
  readonly password: string
}

/** Begins with what the space was imported from or exported to last. */
export function useRemote(of: Space) {
  const operations = useInfiniteQuery(operationsOf(of.id)).data?.pages[0]?.items ?? []
  const last: Operation | undefined = operations.find(({ ref }) => ref !== '')
  const [typed, setTyped] = useState<RemoteTyped>({
    url: last?.url ?? of.gitSync?.url ?? '',
    branch: branchOf(last?.ref ?? 'main'),
    root: '',
    username: '',
    password: '',
  })
  return { typed, setTyped, last }
}

/** As the API takes it. */
export const toRemote = ({ url, branch, root, username, password }: RemoteTyped) => ({
  url: urlWithCredentials({ url: url.trim(), username, password }),
  ref: branch.trim(),
  repoProjectDirectory: root.trim(),
})

type Props = { readonly typed: RemoteTyped; readonly onChange: (typed: RemoteTyped) => void }

export function RemoteFields({ typed, onChange }: Props) {
  const change = (name: keyof RemoteTyped) => ({
    value: typed[name],
    onChange: (value: string) => onChange({ ...typed, [name]: value }),
  })
  return (
    <>
      <Field
        {...change('url')}
        label={t('newSpace.address')}
        hint={t('newSpace.addressHint')}
        inputMode="url"
        autoComplete="off"
        spellCheck="false"
        isRequired
        autoFocus
      />
      <div className="git-pair">
        <Field {...change('branch')} label={t('newSpace.branch')} autoComplete="off" isRequired />
        <Field
          {...change('root')}
          label={t('repository.directory')}
          hint={t('newSpace.rootHint')}
          autoComplete="off"
        />
      </div>
      <div className="git-pair">
        <Field
          {...change('username')}
          label={t('newSpace.username')}
          hint={t('newSpace.usernameHint')}
          autoComplete="off"
        />
        <Field {...change('password')} label={t('newSpace.password')} type="password" autoComplete="off" />
      </div>
    </>
  )
}
