// Imports a repository into a new space: its address, what is in it, and the import.
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { keepInSync, type Repository, startImport, urlWithCredentials } from '../../data/git.ts'
import { createSpace, renameSpace } from '../../data/new-space.ts'
import type { Organization } from '../../data/organization.ts'
import { randomKey } from '../../data/random-key.ts'
import { t } from '../../messages/messages.ts'
import { sayGitWhy } from '../../parts/git-words.ts'
import { say, sayFailure } from '../../parts/toasts.tsx'
import { useDestination } from './destination.tsx'
import { ImportFailed } from './import-failed.tsx'
import { ImportProgress } from './import-progress.tsx'
import { type ImportChoice, LookedAt } from './looked-at.tsx'
import { RepositoryForm } from './repository-form.tsx'
import { useImport } from './use-import.ts'

const HOURLY_MINUTES = 60

type Props = { readonly organization: Organization }

export function FromGit({ organization }: Props) {
  const { id: organizationId } = organization
  const { destination, field, isAdmin } = useDestination(organization)
  const [repository, setRepository] = useState<Repository>()
  const [choice, setChoice] = useState<ImportChoice>()
  const going = useImport(organizationId)
  // What is sent again after a lost answer is done once.
  const [spaceKey] = useState(randomKey)
  const importKey = useRef<{ readonly asked: string; readonly key: string }>(undefined)
  const isAsked = useRef(false)
  const titleThere = useRef<string>(undefined)
  const start = useMutation({
    mutationFn: async ({ title, ref, root, from }: ImportChoice) => {
      if (repository === undefined) return
      const id = going.spaceId ?? (await createSpace(organizationId, { title, ...destination }, spaceKey)).id
      going.spaceMade(id)
      // Who may create spaces need not be an admin of them: the import goes on with the title that it has.
      if (going.spaceId !== undefined && title !== titleThere.current)
        await renameSpace(id, title).catch(sayFailure)
      titleThere.current = title
      const body = { url: urlWithCredentials(repository), ref, repoProjectDirectory: root, ...from }
      // After a lost answer it may have begun; what is asked otherwise is another import.
      const asked = JSON.stringify([id, body])
      if (importKey.current?.asked !== asked) importKey.current = { asked, key: randomKey() }
      going.begun(await startImport(id, body, importKey.current.key))
      importKey.current = undefined
    },
    onMutate: chosen => setChoice(chosen),
    onSettled: () => {
      isAsked.current = false
    },
  })
  const finish = async (spaceId: string) => {
    if (repository === undefined || choice === undefined || choice.sync === 'once') return
    const kept = {
      ...{ url: urlWithCredentials(repository), ref: choice.ref, repoProjectDirectory: choice.root },
      ...{ push: choice.sync === 'both', pullEveryMinutes: HOURLY_MINUTES },
    }
    await keepInSync(spaceId, kept).catch(error => say(t('newSpace.notSynced', { why: sayGitWhy(error) })))
  }
  return (
    <>
      {going.running !== undefined && (
        <ImportProgress
          {...going.running}
          onDone={operation => going.end(operation, finish)}
          onFailed={going.failed}
        />
      )}
      {/* It keeps what was typed and what the host said. */}
      <div className="stack" hidden={going.running !== undefined}>
        {going.failure !== undefined && <ImportFailed {...going.failure} />}
        {start.error !== null && (
          <p className="notice danger" role="alert">
            {sayGitWhy(start.error)}
          </p>
        )}
        <RepositoryForm organizationId={organizationId} asked={repository} onAsk={setRepository} />
        {repository !== undefined && (
          <LookedAt
            key={JSON.stringify(repository)}
            organizationId={organizationId}
            repository={repository}
            canSync={isAdmin}
            destination={field}
            isPending={start.isPending}
            onImport={chosen => {
              if (isAsked.current) return
              isAsked.current = true
              start.mutate(chosen)
            }}
          />
        )}
      </div>
    </>
  )
}
